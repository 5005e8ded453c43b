import type { AuditRule } from '@tadpole/contracts';
import { changedFixture } from './changed-fixture.js';
import { checkerDirective } from './checker-directive.js';
import { checkerSetting } from './checker-setting.js';
import { collectionHook } from './collection-hook.js';
import { failureDirective } from './failure-directive.js';
import { gitMachinery } from './git-machinery.js';
import { globalState } from './global-state.js';
import { localPlugin } from './local-plugin.js';
import { patchedFramework } from './patched-framework.js';
import { redirectSetting } from './redirect-setting.js';
import { reportHook } from './report-hook.js';
import { resultFile } from './result-file.js';
import { runnerConfigChange } from './runner-config-change.js';
import { scriptChange } from './script-change.js';
import { selectionSetting } from './selection-setting.js';
import { shadowModule } from './shadow-module.js';
import { startUpSetting } from './start-up-setting.js';

/** Rules over configuration and tooling: what decides how tests run. */
export function harnessRules(): readonly AuditRule[] {
  return [
    reportHook(),
    globalState(),
    selectionSetting(),
    collectionHook(),
    localPlugin(),
    startUpSetting(),
    redirectSetting(),
    shadowModule(),
    patchedFramework(),
    scriptChange(),
    failureDirective(),
    checkerSetting(),
    checkerDirective(),
    gitMachinery(),
    runnerConfigChange(),
    resultFile(),
    changedFixture(),
  ];
}
