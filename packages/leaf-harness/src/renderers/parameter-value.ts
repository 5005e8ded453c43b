/**
 * The value that a text stands for under a JSON Schema. Text stays text where the schema allows a string or says nothing,
 * and where it cannot be read as what the schema asks for: the tool's own schema then refuses it and says why.
 */
export function parameterValue(options: { text: string; schema: unknown }): unknown {
  const { text } = options;
  const types = typesOf(options.schema);
  const trimmed = text.trim();
  if (types.has('null') && trimmed === 'null') return null;
  if (types.size === 0 || types.has('string')) return text;
  if (types.has('boolean') && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  try {
    const value: unknown = JSON.parse(trimmed);
    return types.has(typeOf(value)) ? value : text;
  } catch {
    return text;
  }
}

/** The types that a schema allows, through `type`, `anyOf`, `oneOf` and `enum`; none when it does not say. */
function typesOf(schema: unknown): ReadonlySet<string> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const { type, anyOf, oneOf, enum: values } = schema as Record<string, unknown>;
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
  const types = [
    ...list(type).map(String),
    ...[...list(anyOf), ...list(oneOf)].flatMap((part) => [...typesOf(part)]),
    ...(type === undefined ? list(values).map(typeOf) : []),
  ];
  return new Set(types.map((name) => (name === 'integer' ? 'number' : name)));
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}
