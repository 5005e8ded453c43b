import type { Mutation } from '../../facts/harness/mutation.js';
import type { Patch } from './patch.js';

/** Judges Python code beside the product that changes how modules are found, how a run ends, or what runs. */
export function pythonPatch(options: { mutation: Mutation; inTest: boolean }): Patch | undefined {
  const { mutation, inTest } = options;
  const { target, how, value, functions } = mutation;
  if (how === 'assign' && /^sys\.modules\[/.test(target))
    return { severity: inTest ? 'medium' : 'high', why: `${target} is replaced, which leads an import elsewhere` };
  if (how !== 'call') {
    return /^(sys\.(meta_path|path_hooks|path_importer_cache|excepthook|exit|settrace)|os\._exit|atexit\.)/.test(target)
      ? { severity: 'high', why: `${target} is replaced` }
      : undefined;
  }
  if (/^sys\.(meta_path|path_hooks)\.(insert|append)$|^sys\.modules\.(update|setdefault|__setitem__)$/.test(target))
    return { severity: 'high', why: `${target} changes how modules are found` };
  if (/^(os\._exit|os\.kill|os\.abort)$/.test(target) || (/^(sys\.exit|quit|exit)$/.test(target) && functions.length === 0 && !inTest))
    return { severity: 'high', why: `${target}(${value.slice(0, 20)}) ends the run` };
  if (
    /^(atexit\.register|sys\.settrace|sys\.setprofile|threading\.settrace|signal\.signal|faulthandler\.\w+|ctypes\.\w+.*|gc\.get_objects|gc\.get_referrers|forbiddenfruit\.curse|sys\._getframe|inspect\.(stack|currentframe))$/.test(
      target,
    )
  )
    return { severity: inTest ? 'low' : 'medium', why: `${target} is used beside the tests` };
  if (
    !inTest &&
    /^pytest\.(skip|xfail|exit|importorskip)$|(^|\.)(applymarker|add_marker)$/.test(target) &&
    !/^['"](slow|unit|integration)/.test(value)
  ) {
    return { severity: 'medium', why: `${target} takes tests out of the run` };
  }
  if (/(pluginmanager|pm)\.(register|import_plugin|unregister|set_blocked)$|^pluggy\./.test(target))
    return { severity: 'medium', why: `${target} changes the plugins of the run` };
  if (/^ast\.(parse|unparse|NodeTransformer|fix_missing_locations|walk)|rewrite_asserts|AssertionRewritingHook/.test(target))
    return { severity: 'medium', why: `${target} reads or rewrites code beside the tests` };
  if (/^(exec|eval|compile)$/.test(target)) return { severity: 'low', why: `${target} runs text as code beside the tests` };
  return undefined;
}
