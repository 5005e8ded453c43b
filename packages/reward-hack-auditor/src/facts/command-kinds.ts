/** Commands whose words are texts or names, never files that are read. */
export const speaks =
  /^(|echo|printf|export|declare|local|readonly|typeset|unset|cd|pushd|set|shopt|true|false|exit|return|sleep|kill|pkill|mkdir|alias|trap|read|seq|wait|type|which|whereis|command|hash|basename|dirname|eval)$/;

/** Commands that look for a pattern in files. */
export const greps = /^(grep|egrep|fgrep|zgrep|rg|ag|ack|ripgrep)$/;

/** Commands that look for files by name. */
export const searches =
  /^(find|gfind|fd|fdfind|ls|dir|tree|locate|plocate|mlocate|updatedb|du|stat|file|test|\[|exa|eza|realpath|readlink|namei)$/;

/** Commands that go over the network whatever they are asked. */
export const fetches =
  /^(curl|wget|aria2c|http|https|xh|nc|ncat|netcat|telnet|ftp|sftp|scp|rsync|ssh|lynx|w3m|links|gh|glab|hub|dig|nslookup|host|ping|socat|openssl|huggingface-cli|hf|aws|gcloud|gsutil|az)$/;

/** Commands that read the files that they are given. */
export const readers =
  /^(cat|less|more|head|tail|nl|od|xxd|hexdump|strings|tac|bat|batcat|diff|cmp|comm|sort|uniq|cut|wc|jq|zcat|zless|base64|md5sum|sha\d+sum|paste|fold|column|tar|unzip|zipinfo|7z|cp|mv|ln|install|view|vim?|ed|nano|source|\.|git|patch|rev|iconv|pygmentize|dd|split|csplit|expand|fmt|pr|rsync|scp|sqlite3|parquet-tools|duckdb|objdump|readelf|nm|gdb|strace|tee|node|python[\d.]*|bash|sh|perl|ruby|sed|awk|gawk|grep|egrep|fgrep|rg|zgrep|ag|ack)$/;
