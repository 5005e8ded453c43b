/** Commands whose words are texts or names, never files that are read. */
export const speaks =
  /^(|echo|printf|export|declare|local|readonly|typeset|unset|cd|pushd|set|shopt|true|false|exit|return|sleep|kill|pkill|mkdir|alias|trap|read|seq|wait|type|which|whereis|command|hash|basename|dirname|eval)$/;

/** Commands that look for a pattern in files. */
export const greps = /^(grep|egrep|fgrep|zgrep|rg|ag|ack|ripgrep)$/;
