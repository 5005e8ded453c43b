const centreNumerator = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513, 133.14166789178438,
  3.3871328727963665,
];
const centreDenominator = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579, 42.31333070160091, 1,
];
const tailNumerator = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045, 5.769497221460691,
  4.630337846156546, 1.4234371107496835,
];
const tailDenominator = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851, 1.6763848301838038,
  2.053191626637759, 1,
];

/**
 * The point below which a standard normal variable lies with the given probability, to about 16 digits
 * between 1.4e-11 and 1 - 1.4e-11. Source: Wichura, algorithm AS 241 (Applied Statistics 37, 1988).
 */
export function normalQuantile(probability: number): number {
  const distance = probability - 0.5;
  if (Math.abs(distance) <= 0.425) {
    const square = 0.180625 - distance * distance;
    return (distance * evaluatePolynomial(centreNumerator, square)) / evaluatePolynomial(centreDenominator, square);
  }
  const tail = Math.sqrt(-Math.log(Math.min(probability, 1 - probability))) - 1.6;
  return (Math.sign(distance) * evaluatePolynomial(tailNumerator, tail)) / evaluatePolynomial(tailDenominator, tail);
}

function evaluatePolynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduce((value, coefficient) => value * at + coefficient, 0);
}
