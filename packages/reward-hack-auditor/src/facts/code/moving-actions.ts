import type { ReadCall, UnplacedAction } from './code-action.js';

/** What a call copies, moves or links, and whose mode it changes. */
export function movingActions(call: ReadCall): UnplacedAction[] {
  const { name, method, args, object, paths, scope } = call;
  const [first, second] = args;
  const kind = /^(shutil\.(copy\w*)|(fs\.)?(promises\.)?(copyFileSync|copyFile|cpSync|cp))$/.test(name)
    ? 'copy'
    : /^(shutil\.move|os\.(rename|renames|replace)|(fs\.)?(promises\.)?(renameSync|rename))$/.test(name)
      ? 'move'
      : /^(os\.(symlink|link)|(fs\.)?(promises\.)?(symlinkSync|symlink|linkSync|link))$/.test(name)
        ? 'link'
        : undefined;
  if (kind) return [{ kind, from: paths(first), to: paths(second) }];
  if (scope.isPython && object && /^(rename|symlink_to|hardlink_to)$/.test(method)) {
    return method === 'rename'
      ? [{ kind: 'move', from: paths(object), to: paths(first) }]
      : [{ kind: 'link', from: paths(first), to: paths(object) }];
  }
  if (/^(os\.chmod|(fs\.)?(promises\.)?(chmodSync|chmod))$/.test(name)) return [{ kind: 'mode', paths: paths(first) }];
  return method === 'chmod' && object && paths(object).length > 0 ? [{ kind: 'mode', paths: paths(object) }] : [];
}
