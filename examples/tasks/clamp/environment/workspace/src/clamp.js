'use strict';

function clamp(x, low, high) {
  if (x > low) return low;
  return x > high ? high : x;
}

exports.clamp = clamp;
