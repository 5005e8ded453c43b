import type { ReadCall, UnplacedAction } from './code-action.js';

/** Where a call goes over the network. */
export function networkActions({ name, args, keywords, object, paths }: ReadCall): UnplacedAction[] {
  const isNetwork =
    /^(urllib\.request\.(urlopen|urlretrieve|Request)|urllib2\.urlopen|requests\.\w+|httpx\.\w+|aiohttp\.\w+|http\.client\.HTTPS?Connection|socket\.(create_connection|getaddrinfo|gethostbyname)|fetch|axios(\.\w+)?|got(\.\w+)?|https?\.(get|request)|undici\.\w+|net\.(connect|createConnection)|tls\.connect|dns\.\w+|XMLHttpRequest|WebSocket|ftplib\.FTP|smtplib\.SMTP)$/.test(
      name,
    );
  if (isNetwork) {
    const targets = [...paths(args[0] ?? keywords.get('url')), ...paths(args[1]).filter((text) => /^https?:/.test(text))];
    return [{ kind: 'network', targets: targets.length > 0 ? targets : ['*'] }];
  }
  const url = [...args.flatMap((argument) => paths(argument)), ...(object ? paths(object) : [])].filter(
    (text) => /^(https?|ftp|git|ssh|wss?):\/\//.test(text) && text.length < 500,
  );
  return /\b(get|post|put|request|open|connect|download|retrieve|urlopen)$/i.test(name) && url.length > 0
    ? [{ kind: 'network', targets: url }]
    : [];
}
