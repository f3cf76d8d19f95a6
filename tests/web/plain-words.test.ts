// The page says what it says in the words of docs/glossary.md, and calls no field and no model by its name for programs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { addMethods, createModels } from '../../src/app/models.ts'
import type { Model } from '../../src/platform/model/model.ts'
import { telcoOperations } from '../../src/telco/described-routes.ts'
import { phoneDirectory } from '../../src/telco/routing/phone-directory.ts'
import { argumentFields } from '../../web/records/method-arguments.ts'
import { helpForPeople } from '../../web/words/for-people.ts'
import { refusalsIn } from '../support/refusal-sentences.ts'
import { readSources, root } from '../support/source-files.ts'

type Said = readonly [place: string, text: string]

const wordsOf = (file: string): Said[] =>
  Object.entries(JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Record<string, string>).map(
    ([key, text]) => [`${file} ${key}`, text],
  )
const files = (language: string) =>
  [...readSources((file) => file.startsWith(`web/words/${language}/`) && file.endsWith('.json')).keys()].toSorted()

/** Why something is refused is worded beside its codes, by another test. */
const REFUSALS = 'web/words/de/refusals.json'
const REASONS = 'web/words/de/reasons.json'
const HELP = 'web/words/de/help.json'
const models = addMethods(createModels(), [telcoOperations({ client: {} as never, directory: phoneDirectory })])

function* saidBy(model: Model): Generator<Said> {
  yield [model.name, model.label]
  yield* saidOfFields(model)
  yield* saidOfMethods(model)
}

function* saidOfFields({ name: model, fields }: Model): Generator<Said> {
  for (const [name, field] of Object.entries(fields)) {
    if (field.groups?.length === 0) continue
    yield [`${model}.${name}`, field.label]
    yield [`${model}.${name} help`, helpForPeople(field.help ?? '')]
    const choices = 'choices' in field ? (field.choices ?? []) : []
    // Some choices are what the provider calls them, and have their words in each language.
    const worded = choices.filter(([value, words]) => words !== value)
    yield* worded.map(([value, words]): Said => [`${model}.${name} ${value}`, words])
  }
}

function* saidOfMethods({ name: model, methods = {} }: Model): Generator<Said> {
  for (const [name, { label: words, confirm = '', args }] of Object.entries(methods)) {
    yield [`${model}/${name}`, words]
    yield [`${model}/${name} asks`, confirm]
    for (const each of argumentFields({ arguments: args }, String)) {
      yield [`${model}/${name} ${each.name}`, helpForPeople(each.help ?? '')]
    }
  }
}

/** What a person writes as JSON, and what WhatsApp says of a template. */
const EXEMPT = [
  'web/words/en/records.json notJson',
  'web/words/en/records.json editAsJson',
  'web/words/de/records.json notJson',
  'web/words/de/records.json editAsJson',
  'web/words/de/fields.json JSON body',
]
const EXEMPT_MODELS = ['connect.voiceai_agent_tool.param_type body', 'connect.message_content_template.status rejected']
const isOurs = ([place]: Said): boolean => !EXEMPT.includes(place) && !EXEMPT_MODELS.includes(place)

/** Sentences of the replies that voice agents and programs get, which the log of webhooks repeats. */
const refused = new Set([...readSources((file) => /^src\/.*\.ts$/.test(file)).values()].flatMap(refusalsIn))
const findings = wordsOf('web/words/de/findings.json')
const reasons = wordsOf('web/words/de/reasons.json').filter(
  ([place]) => !refused.has(place.slice(place.indexOf(' ') + 1)),
)
/** What the checks, the remarks and the log of webhooks say in English are the keys of their German words. */
const keyed = (said: readonly Said[]): Said[] => said.map(([place]) => [place, place.slice(place.indexOf(' ') + 1)])

const english: Said[] = [
  ...files('en').flatMap(wordsOf),
  ...[...models].flatMap((model) => [...saidBy(model)]),
  ...keyed(findings),
  ...keyed(reasons),
].filter(isOurs)
const german: Said[] = files('de')
  .filter((file) => file !== REFUSALS && file !== REASONS)
  .flatMap(wordsOf)
  .concat(reasons)
  .map(([place, text]): Said => [place, place.startsWith(HELP) ? helpForPeople(text) : text])
  .filter(isOurs)

/** What WORDS.md and the glossary replaced, with what is said instead. */
const NOT_IN_ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/\bwhoever\b|\bwhat(?:ever)? callers enter\b/i, 'the person, everyone who'],
  [/\b(?:some|any|every|no)body\b(?! spoke)/i, 'someone, anyone, everyone, no one'],
  [/\banew\b|\bonce more\b/i, 'again'],
  [/\bstands? (?:on|in|for)\b/i, 'is, is shown'],
  [/\b(?:fits|that fit|nothing fits)\b/i, 'matches'],
  [/\bsolved it\b/i, 'with'],
  [/\bsynchroni[sz]/i, 'sync'],
  [/\bdeliver(?:y|ies)\b/i, 'webhook'],
  [/\bthe (?:phone provider|voice-agent platform|platform)\b (?!for\b)/i, 'Twilio, ElevenLabs'],
  [/\bgiven up\b|\bgave up\b/i, 'hung up before an answer'],
  [/\bleft open\b|\bsaid and not done\b/i, 'follow-up, promised but not done'],
  [/\bsecond factor\b/i, 'two-factor sign-in'],
  [/\b(?:legs?|callflow)\b/i, 'connection, call flow'],
  [/\bno-answer\b|\+0\.000/, 'no answer, 0:00'],
  [/\bnewcomers?\b|\bthe commonest\b/i, 'new people, common'],
  [/\b(?:fold|unfold|rail|peek)\b/i, 'collapse, sidebar, preview'],
  [/\b(?:let in|turned away|is wrong with it)\b/i, 'accepted, declined'],
  [/\btake(?:n)? back\b|\bmake the link\b/i, 'revoke, create link'],
  [/\bput together\b|\bhow long is what\b|\bwants to be forgotten\b/i, 'combined, data retention, erasure'],
  [
    /\bcould not be loaded\b|\bThere is no such page\b|\bis dead\b/i,
    "couldn't load this, page not found, failed for good",
  ],
  [/\bwritten "?model,id\b|\bTarget (?:model|record)\b|\bWrong inputs?\b/i, 'leads to, attempts'],
  [
    /\b(?:is|was|are) (?:settled|put right)\b|\bset it right\b|\bworth knowing\b|\bnever run\b/i,
    'fix, note, not run yet',
  ],
  [/\buntil now\b|\bof this moment\b|\bof the moment\b/i, 'current'],
  [/\bthe calls? arrives?\b|\bwhat was dialled is\b/i, 'call received, no answer'],
  [
    /\bNobody we know\b|\bOnly numbers\b|\bWith names\b|\bmay be the same\b/i,
    'unknown number, unnamed, named, duplicates',
  ],
]
const NOT_ALONE_IN_ENGLISH = [
  ...['Records', 'Steer', 'Live', 'Trace', 'Deliveries', 'Handled', 'Refused', 'Rejected', 'Stored deliveries', 'Jobs'],
  ...['Story', 'Opened', 'Linked', 'Reported', 'Raw', 'Legs', 'Saved', 'Move on', 'In order', 'As the system', 'Post'],
  ...['Manager', 'Target', 'Promises', 'Answer as', 'Synchronise', 'The whole run', 'To the start', 'To call back'],
]
const NOT_IN_GERMAN: readonly (readonly [RegExp, string])[] = [
  [/Kennw[oö]rt/, 'Passwort'],
  [/\bStufen?\b/, 'Phase'],
  [/\bAufnahmen?\b/, 'Aufzeichnung'],
  [/\bDomänen?\b/, 'Domain'],
  [/\bAnrufende[rn]?\b(?! (?:Benutzer|Telefonbenutzer))/, 'Anrufer'],
  [/\bTelefonnutzer/, 'Telefonbenutzer'],
  [/(?<!nutzer|Helpdesk-)[Vv]erwalter\b/, 'Benutzerverwalter'],
  [/\bAusweichadresse/, 'Ersatzadresse'],
  [/\b[Zz]urückgewiesen/, 'abgelehnt'],
  [/\bMailbox/, 'Sprachnachricht'],
  [/heisst|ausserhalb|grösse|schliess|\bweiss\b/i, 'heißt, außerhalb, größer, schließen, weiß'],
  [
    /Anrufbein|Auszeichnung|\bgelöst\b|Aufgegeben|Einen Anruf spielen/,
    'Verbindung, TwiML, bearbeitet, aufgelegt, Testanruf',
  ],
  [/[Ss]ynchronis/, 'Abgleich, abgleichen'],
  [/Hier ist nichts|Noch hat niemand|Geheimnisse verwalten|^Ablegen$|^Eintragen$/, 'Leer, Noch keine, Notiz speichern'],
  [/"[A-ZÄÖÜ][^"{}]*"|“[^”„]*”/, '„…“'],
]
/** Names of programs: `phone_number`, `connect.call`; and what only programs have to know. */
const OF_PROGRAMS =
  /\b[a-z]+(?:_[a-z]+)+\b|\b(?:connect|res|mail|helpdesk|calendar|resource)\.[a-z_]+\b|\bUTC\b|\bJSON\b|\{"|YYYY|JJJJ/
/** Commands of the operator, headers, and what a text names by design. */
const COMMANDS =
  /\bconnect (?:settings set \S+(?: \S+)?|sync \w+|deliveries [^.;]*|worker)|\{\{user\.name\}\}|application\/json/g
/** What voice agents and their tools call their arguments: the log says what an agent was told. */
const TOLD_TO_AGENTS = /\b(?:call_id|user_id|partner_id|event_id|channel_sid)\b|^The (?:start|stop) is required/

const without = (text: string): string =>
  text.replaceAll(COMMANDS, '').replaceAll(/\{\{[^}]*\}\}|\[[^\]]*\{\w+\}[^\]]*\]|\{\w+\}/g, '')

test.each(NOT_IN_ENGLISH)('nothing in English says %s where one says "%s"', (word) => {
  expect(english.filter(([, text]) => word.test(without(text)))).toEqual([])
})

test('no label, button or toast is one of the words that were replaced', () => {
  expect(english.length).toBeGreaterThan(2_000)
  expect(english.filter(([, text]) => NOT_ALONE_IN_ENGLISH.includes(text))).toEqual([])
})

test.each(NOT_IN_GERMAN)('nothing in German says %s where one says "%s"', (word) => {
  expect(german.filter(([, text]) => word.test(without(text)))).toEqual([])
})

test.each([
  ['English', english],
  ['German', german],
])('nothing in %s calls a field or a model by its name for programs', (_language, said) => {
  const named = said.filter(([, text]) => OF_PROGRAMS.test(without(text)))
  expect(
    named.filter(
      ([place, text]) => !TOLD_TO_AGENTS.test(text) && !TOLD_TO_AGENTS.test(place.slice(place.indexOf(' ') + 1)),
    ),
  ).toEqual([])
})

test('a word that was replaced is found in a label, and a name of a program in a sentence', () => {
  expect(NOT_IN_ENGLISH.some(([word]) => word.test('Nothing fits.'))).toBe(true)
  expect(NOT_IN_GERMAN.some(([word]) => word.test('Kennwort ändern'))).toBe(true)
  expect(OF_PROGRAMS.test('Set the api_url of connect.settings.')).toBe(true)
  expect(OF_PROGRAMS.test(without('{{first_name}} called[ {caller_name}]'))).toBe(false)
})

test('a place in a sentence has two braces on each side, or the reader sees them', () => {
  const all = ['en', 'de'].flatMap(files).flatMap(wordsOf)
  expect(all.filter(([, text]) => /\{{3}|\}{3}/.test(text))).toEqual([])
})

test.each(['en', 'de'])(
  'the name of a button says the words on it, for people who speak to the page: %s',
  (language) => {
    const unlike = files(language).flatMap((file) => {
      const said = new Map(wordsOf(file).map(([place, text]) => [place.slice(file.length + 1), text]))
      return [...said].filter(([key, text]) => {
        const shown = key.endsWith('Of') ? said.get(key.slice(0, -'Of'.length)) : undefined
        return shown !== undefined && text.includes('{{name}}') && !text.toLowerCase().includes(shown.toLowerCase())
      })
    })
    expect(unlike).toEqual([])
  },
)
