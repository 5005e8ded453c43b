import { z } from 'zod';

const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** One part of a message or an observation (closed objects): text, an image (since 1.6) or audio (since 1.8). */
export const atifPartSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('image'), source: z.strictObject({ media_type: z.enum(imageTypes), path: z.string() }) }),
  z.strictObject({
    type: z.literal('audio'),
    source: z.strictObject({
      media_type: z.string().regex(/^audio\/[a-z0-9.+-]+$/, 'expected a media type of audio'),
      path: z.string(),
      duration_sec: z.number().min(0).optional(),
    }),
  }),
]);

/** Text, or parts. */
export const atifContentSchema = z.union([z.string(), z.array(atifPartSchema)]);
/** See {@link atifContentSchema}. */
export type AtifContent = z.infer<typeof atifContentSchema>;

/** The text of a content; images and audio have none. */
export function contentText(content: AtifContent): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
