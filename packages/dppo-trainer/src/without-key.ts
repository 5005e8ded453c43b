/** A server's text without the key that was sent to it: what servers say is shown to people and kept in files. */
export function withoutKey(text: string, apiKey: string | undefined): string {
  return apiKey === undefined || apiKey === '' ? text : text.replaceAll(apiKey, '[key]');
}
