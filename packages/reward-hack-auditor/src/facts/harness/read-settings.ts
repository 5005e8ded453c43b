import { parseSource } from '../../parse/load-parsers.js';
import { languageOf } from '../changed-files.js';
import { nestingOf } from './nesting-of.js';
import { readIniSettings } from './read-ini-settings.js';
import { readJsonSettings } from './read-json-settings.js';
import { readMakefileSettings } from './read-makefile-settings.js';
import { readScriptSettings } from './read-script-settings.js';
import { readTomlSettings } from './read-toml-settings.js';
import { readYamlSettings } from './read-yaml-settings.js';
import type { Setting } from './setting.js';

const longest = 300_000;
const deepest = 200;

/**
 * The settings of a configuration file, read as its own format. Names of runners come first in every key, whatever the file
 * (`pytest.addopts[]` from `pytest.ini`, `tox.ini`, `setup.cfg`, `pyproject.toml`), and lists that a format writes as text are lists:
 * one option of a command line with its value is one item. Texts over 300,000 characters are not read.
 */
export function readSettings(options: { path: string; text: string }): readonly Setting[] {
  const { path, text } = options;
  if (text.length > longest) return [];
  return readOrNothing(path, text).flatMap((setting) => listed({ ...setting, key: canonicalKey(path, setting.key) }));
}

/** Parsers descend by recursion: a text that nests too deep for them is one that no runner reads either. */
function readOrNothing(path: string, text: string): readonly Setting[] {
  try {
    return nestingOf(text) > deepest ? [] : read(path, text);
  } catch {
    return [];
  }
}

function read(path: string, text: string): readonly Setting[] {
  const name = path.split('/').at(-1) ?? '';
  if (/^(GNU)?[Mm]akefile$|\.mk$|^[Jj]ustfile$/.test(name)) return readMakefileSettings(text);
  if (/\.toml$/.test(name) || name === 'Pipfile') return readTomlSettings(text);
  if (/\.ya?ml$/.test(name)) return readYamlSettings(text);
  if (
    /\.(ini|cfg|conf|pth|env)$|^\.(npmrc|yarnrc|coveragerc|flake8|pylintrc|env)|entry_points\.txt$|(^|\/)\.git(config|modules)$/.test(name)
  ) {
    return readIniSettings(text);
  }
  if (/(^|\/)\.git\/config$/.test(path)) return readIniSettings(text);
  const language = languageOf(name);
  if (language === 'javascript' || language === 'typescript' || language === 'tsx')
    return readScriptSettings(parseSource({ language, text }));
  if (/\.jsonc?$|\.json5$/.test(name) || /^\s*\{/.test(text)) return readJsonSettings(text);
  return /^\.\w+rc$/.test(name) ? readYamlSettings(text) : [];
}

function canonicalKey(path: string, key: string): string {
  const name = path.split('/').at(-1) ?? '';
  if (/^\.?pytest\.(ini|toml)$|^tox\.ini$/.test(name) && /^pytest\./.test(key)) return key.replace(/^pytest\.ini_options\./, 'pytest.');
  if (name === 'setup.cfg') return key.replace(/^tool:pytest\./, 'pytest.');
  if (name === 'pyproject.toml') return key.replace(/^tool\.pytest\.(ini_options\.)?/, 'pytest.').replace(/^tool\./, '');
  if (/^vite(st)?[.\w-]*\.(config|workspace|projects)\.|^vite(st)?\.(config|workspace)\.|^vitest\./.test(name))
    return `vitest.${key.replace(/^(config\.)?test\./, '')}`;
  if (/^jest[.\w-]*\./.test(name)) return `jest.${key}`;
  if (/^\.mocharc|^mocha\.opts$/.test(name)) return `mocha.${key}`;
  if (/^[tj]sconfig[^/]*\.json$/.test(name)) return `tsconfig.${key}`;
  if (/^\.(npmrc|yarnrc)/.test(name)) return `npmrc.${key}`;
  const checker = /^\.?(ruff|biome|eslint|pylint|oxlint|xo|knip|stylelint|pyright)(rc|config|\.config)?(\.\w+)?$/.exec(name)?.[1];
  if (checker !== undefined) return `${checker}.${key}`;
  if (/^\.env/.test(name) || /\.env$/.test(name)) return `env.${key}`;
  return key;
}

const wordLists =
  /^pytest\.(testpaths|norecursedirs|python_files|python_classes|python_functions|pythonpath|usefixtures|collect_imported_tests)$/;
const lineLists =
  /^pytest\.(markers|filterwarnings|env|required_plugins)$|^testenv[^.]*\.(commands(_pre|_post)?|setenv|set_env|deps|passenv)$/;

function listed(setting: Setting): readonly Setting[] {
  const { key, value } = setting;
  const items = /^pytest\.addopts(\[\])?$/.test(key)
    ? pairedOptions(value)
    : wordLists.test(key)
      ? splitWords(value)
      : lineLists.test(key)
        ? value.split('\n')
        : undefined;
  if (items === undefined) return [setting];
  return items
    .filter((item) => item.trim() !== '')
    .map((item) => ({ ...setting, key: `${key.replace(/\[\]$/, '')}[]`, value: item.trim() }));
}

/** The words of a command line without its quotes. */
export function splitWords(text: string): readonly string[] {
  return [...text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''));
}

const withValue = /^-(?:[kmpoWcnr]|-deselect|-ignore|-ignore-glob|-maxfail|-rootdir|-confcutdir|-cov|-timeout|-tb|-import-mode|-junitxml)$/;

/** Words with an option and its value joined: `-k expression` is one. */
function pairedOptions(text: string): readonly string[] {
  const paired: string[] = [];
  let open = false;
  for (const word of splitWords(text)) {
    if (open) paired[paired.length - 1] = `${paired.at(-1)} ${word}`;
    else paired.push(word);
    open = !open && withValue.test(word);
  }
  return paired;
}
