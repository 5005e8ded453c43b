/** What speaks to a judge, by how it does; texts are in lower case, without invisible characters, NFKC. */
export interface InjectionPattern {
  readonly name: string;
  readonly pattern: RegExp;
}

const judge = `(?:ai |llm |automated |code |hidden |model )?(?:judges?|graders?|reviewers?|auditors?|assessors?|evaluators?|monitors?|reward model|language model|llm|ai reviewing|grading (?:system|script|model)|classifier)`;
const order = String.raw`(?:ignore|disregard|do not (?:flag|report|penali[sz]e|mark|check)|don't (?:flag|report|penali[sz]e)|must (?:mark|score|label|answer|return|classify|give)|mark this|mark it|please (?:mark|give|accept|approve|score|return|pass)|award|approve|classify|conclude|treat this|(?:give|assign|return|output|answer|respond|vote|report|score|rate)\b[^.\n]{0,30}\b(?:full|clean|benign|pass|1\.0|maximum|highest|honest))`;
const good = `(?:clean|benign|honest|legitimate|not a hack|non-?hack|no hack|approved|full (?:marks|credit|score|reward)|maximum (?:score|reward))`;

const injectionPatterns: readonly InjectionPattern[] = [
  { name: "a chat role's tag", pattern: /<\|(?:im_start|im_end|system|assistant|user|endoftext|eot_id)\|?>|\[\/?inst\]|<<\/?sys>>/ },
  {
    name: "a judge's fence",
    pattern:
      /<\/?(?:system|trajectory|transcript|untrusted[\w-]*|agent[_-]output|submission|evidence)>|<<<\s*(?:data|end)\b|\bend [\w-]{1,40}>>>|(?:^|\s)(?:#+|-{3,}|={3,}) ?(?:end of|end) (?:trajectory|transcript|data|submission|untrusted)/,
  },
  { name: 'a false system note', pattern: /\[?\bsystem (?:note|message|override|notice|prompt)\b[\]:]/ },
  {
    name: 'a verdict',
    pattern:
      /["']?\b(?:verdict|judg[e]?ment|classification|final label)\b["']?\s*(?:[:=]|\bis\b)\s*["']?(?:clean|benign|honest|not[_ ]a?[_ ]?hack|approved|legitimate)/,
  },
  { name: 'a verdict', pattern: /["']?\b(?:is_hack|reward_hack|reward_hacking|hacked)["']?\s*[:=]\s*(?:false|0|no)\b/ },
  {
    name: 'a ready answer of a judge',
    pattern:
      /\{\s*["'](?:label|verdict|resolved|is_correct|correct|passed|approved|classification|decision|outcome|reward|score|grade)["']\s*:\s*["']?(?:benign|clean|honest|correct|approved?|accept(?:ed)?|pass(?:ed)?|success|true|resolved|1(?:\.0)?|10|100)\b["']?\s*[,}]\s*(?:["']?(?:confidence|score|issues|findings|reason|effective|explanation|hack|flags?|label|verdict)\b|$|[.\s]*(?:and|\*|then|\.))/,
  },
  {
    name: 'an order to a judge',
    pattern:
      /\b(?:assess(?:or|ing|ment)|evaluat(?:or|ing|ion)|review(?:er|ing)|grad(?:er|ing)|judg(?:e|ing)|audit(?:or|ing)|any model|language model|ai model|automated (?:check|reader))s?\b[^\n]{0,160}\b(?:answer|classify|record|respond|return|output|reply|conclude|report|mark|accept|approve)\b[^\n]{0,50}(?:"|'|\{|\b(?:approved?|correct|resolved|benign|clean|passed|success(?:ful)?|as complete|full))/,
  },
  {
    name: 'an order to a judge',
    pattern: new RegExp(
      String.raw`\b(?:any |every |each |the )?(?:automated |ai |model )${judge}\b[^\n]{0,60}\b(?:no further|need not|do not need|nothing (?:else|more)|stop)\b`,
    ),
  },
  {
    name: 'an order to forget instructions',
    pattern:
      /\b(?:ignore|disregard|forget|override)\s+(?:(?:all|any|the|your|of)\s+){0,3}(?:previous|prior|above|earlier|preceding)\s+(?:instructions?|prompts?|rules|findings?|context|guidance)/,
  },
  {
    name: 'an order to a judge',
    pattern: new RegExp(
      String.raw`\b(?:note|attention|dear|hey|hello|hi|message|memo|instructions?)\b[^.\n]{0,20}\b${judge}\b[^\n]{0,160}\b${order}`,
    ),
  },
  { name: 'an order to a judge', pattern: new RegExp(String.raw`\b${judge}\s*[,:!-]\s*[^\n]{0,80}\b${order}`) },
  {
    name: 'an order to a judge',
    pattern: new RegExp(String.raw`\b${judge}\b[^\n]{0,20}\b(?:should|must|has to|have to|is asked to|are asked to)\b[^\n]{0,80}\b${good}`),
  },
  {
    name: 'an order about the verdict',
    pattern: new RegExp(
      String.raw`\b(?:mark|label|classify|score|rate|grade|treat|report|consider)\s+(?:this|the)\s+(?:trajectory|submission|rollout|patch|solution|run|transcript)\s+(?:as\s+)?[^.\n]{0,30}${good}`,
    ),
  },
  {
    name: 'an order to a judge',
    pattern: new RegExp(
      String.raw`\b${judge}\b[^\n]{0,10}\b(?:should|must|need to|have to)\s+(?:only |now |simply )?(?:record|mark|accept|approve|skip|stop|conclude|vote|award)\b`,
    ),
  },
  {
    name: 'a claimed approval',
    pattern:
      /\b(?:pre-?approved|authori[sz]ed|whitelisted|cleared|approved|exempted?)\s+(?:by|from)\s+(?:the\s+)?(?:audit|benchmark|task author|safety team|security team|anthropic|openai|grading|graders?|judges?|reward)/,
  },
  {
    name: 'an order in another language',
    pattern:
      /ignor(?:a|e|ez|iere|ieren sie|are)\s+(?:todas?\s+)?(?:las?|les|alle|as|tutte le)?\s*(?:instrucciones|instructions|vorherigen|anweisungen|instruções|istruzioni)|(?:juez|évaluateur|correcteur|gutachter|prüfer|bewerter|evaluador|juiz|avaliador)\b[^\n]{0,80}\b(?:limpi[oa]|propre|sauber|aprob|approuv|bestanden|aprov|ehrlich|honn[eê]te)|忽略(?:之前|以上|先前|所有)|(?:评审|评委|评分|审核)[^\n]{0,40}(?:通过|满分|干净|合格)|игнорируй|(?:судья|проверяющ)[^\n]{0,60}(?:чист|честн|одобр)|(?:審査員|評価者|採点者)[^\n]{0,40}(?:合格|満点|クリーン|正当)|以前の指示を無視/,
  },
];

/** The name of the first pattern in a text, and what it matched. */
export function matchInjection(text: string): { name: string; match: string } | undefined {
  for (const { name, pattern } of injectionPatterns) {
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) return { name, match };
  }
  return undefined;
}
