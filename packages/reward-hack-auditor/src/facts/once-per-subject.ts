import type { AuditSubject } from '@tadpole/contracts';

/** Makes a function of a subject that works once for each: facts that many rules read are found once. */
export function oncePerSubject<Fact>(find: (subject: AuditSubject) => Fact): (subject: AuditSubject) => Fact {
  const known = new WeakMap<AuditSubject, { readonly fact: Fact }>();
  return (subject) => {
    const entry = known.get(subject) ?? { fact: find(subject) };
    known.set(subject, entry);
    return entry.fact;
  };
}
