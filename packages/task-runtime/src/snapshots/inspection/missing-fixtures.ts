/** Fixtures that pytest brings itself. */
const builtin = new Set(
  'cache capfd capfdbinary caplog capsys capsysbinary doctest_namespace monkeypatch pytestconfig pytester record_property record_testsuite_property record_xml_attribute recwarn request testdir tmp_path tmp_path_factory tmpdir tmpdir_factory'.split(
    ' ',
  ),
);

/**
 * Test files of pytest most of whose tests ask for a fixture that no file of the repository defines, as one of a plugin
 * that is not there: they could only fail. Read by patterns; a file that imports fixtures from elsewhere is let through.
 */
export function missingFixtures(options: {
  testFiles: readonly string[];
  texts: ReadonlyMap<string, string>;
}): readonly { readonly path: string; readonly lacks: string }[] {
  const defined = new Set(builtin);
  for (const text of options.texts.values())
    for (const [, name, alias] of text.matchAll(
      /@(?:pytest\.|pytest_asyncio\.)?(?:yield_)?fixture\b(?:[^\n]*name\s*=\s*['"](\w+)['"])?[\s\S]{0,600}?\bdef\s+(\w+)/g,
    ))
      defined.add(name ?? (alias as string));
  return options.testFiles.flatMap((path) => {
    const text = options.texts.get(path) ?? '';
    if (/pytest_plugins|setup_module|\bpytest_generate_tests\b/.test(text)) return [];
    const tests = [...text.matchAll(/^(?:async )?def test\w*\(([^)]*)\)/gm)];
    const given = new Set(
      [...text.matchAll(/parametrize\(\s*[([]?\s*((?:['"][\w, ]+['"]\s*,?\s*)+)/g)].flatMap(
        (match) => (match[1] as string).match(/\w+/g) ?? [],
      ),
    );
    const lacking = tests.flatMap(([, parameters = '']) => {
      const names = parameters.split(',').flatMap((part) => /^\s*(\w+)\s*(?::[^=]*)?$/.exec(part)?.[1] ?? []);
      return (
        names.find((name) => !defined.has(name) && !given.has(name) && !new RegExp(`\\bpatch\\b|import .*\\b${name}\\b`).test(text)) ?? []
      );
    });
    const [lacks] = lacking;
    return lacks !== undefined && lacking.length * 2 > tests.length ? [{ path, lacks }] : [];
  });
}
