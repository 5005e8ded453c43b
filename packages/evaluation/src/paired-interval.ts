import { confidencePoint } from './wilson-interval.js';

/**
 * Interval for the difference of two rates on the same pairs: a Wald interval after one imaginary pair has been
 * added to each kind of disagreement, cut to [-1, 1]. It has width even when no pair disagrees.
 * Source: Bonett and Price, Journal of Educational and Behavioral Statistics 37 (2012); recommended by
 * Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014).
 */
export function pairedInterval(options: { pairs: number; onlyBefore: number; onlyAfter: number; confidence: number }): [number, number] {
  const { pairs, onlyBefore, onlyAfter, confidence } = options;
  const lost = (onlyBefore + 1) / (pairs + 2);
  const won = (onlyAfter + 1) / (pairs + 2);
  const spread = confidencePoint(confidence) * Math.sqrt((won + lost - (won - lost) ** 2) / (pairs + 2));
  return [Math.max(-1, won - lost - spread), Math.min(1, won - lost + spread)];
}
