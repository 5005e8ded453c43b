/** Names under which environments hold secrets. */
const secretName = /(key|token|secret|passw(or)?d|credential|auth(?!or))/i;

/** Shorter values stand in ordinary text too often to be taken out of it. */
const minimumCharacters = 8;

/** The secrets of an environment by the names of their variables, for a redactor. Those of fewer than 8 characters are left out. */
export function environmentSecrets(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value = '']) =>
      secretName.test(name) && value.replace(/\s/g, '').length >= minimumCharacters ? [[name, value]] : [],
    ),
  );
}
