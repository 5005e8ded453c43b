/** How many characters (Unicode code points, the unit of Python's `len`) a text has. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) if (text.charCodeAt(at) >> 10 === 0x37 && text.charCodeAt(at - 1) >> 10 === 0x36) count -= 1;
  return count;
}

/** Index in UTF-16 units of the character that has `count` characters before it; the text's length where there are fewer. */
export function characterIndex(text: string, count: number): number {
  let index = 0;
  for (let passed = 0; passed < count && index < text.length; passed += 1) index += text.codePointAt(index)! > 0xffff ? 2 : 1;
  return index;
}
