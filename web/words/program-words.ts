/** What programs name, in words of people: kinds of records, webhooks, work of the queue and deeds in the audit; pure but for the language. */
import { nameForPeople } from './for-people.ts'
import { labelOf } from './labels.ts'
import { MODEL_LABELS } from './model-labels.gen.ts'

/** Kinds whose records the service calls by what programs call something. */
const OF_PROGRAMS = ['connect.audit', 'connect.delivery', 'connect.job']
const MODEL = String.raw`[a-z_]+(?:\.[a-z_]+)+`
/** Names of records that the service makes of such names. */
const AUDITED = new RegExp(`^(\\w+) (${MODEL})(?: (\\d+))?$`)
const NUMBERED = /^(\/\S+|[a-z]+(?:[.-][a-z_]+)+) (\d+)$/
const RECORD = new RegExp(`^(${MODEL}),(\\d+)$`)
const CALL_ACTION = /^\/telco\/webhook\/(?:[^/]+\/call_action\/[^/]+|callaction)$/

const WORDS: Readonly<Record<string, string>> = {
  create: 'Created',
  write: 'Changed',
  unlink: 'Deleted',
  merged_away: 'Merged',
  received: 'Waiting',
  done: 'Done',
  ignored: 'Ignored',
  failed: 'Failed, retrying',
  dead: 'Failed for good',
  'res.partner': 'Contact',
  'voiceai.post_call': 'Conversation from ElevenLabs',
  'voiceai.post_call_read': 'Conversation from ElevenLabs',
  'voiceai.post_call_audio': 'Conversation audio from ElevenLabs',
  'voiceai.post_call_whole_audio': 'Conversation audio from ElevenLabs',
  'telco.event': 'Report from Twilio',
  '/connect_voiceai/post_call': 'Conversation from ElevenLabs',
  '/connect_voiceai/conversation_initiation': 'Conversation begins',
  '/connect_voiceai/transfer': 'Transfer by an agent',
  '/telco/webhook/number': 'Incoming call',
  '/telco/webhook/domain': 'Call from a SIP phone',
  '/telco/webhook/callstatus': 'Status of a call',
  '/telco/webhook/callflow/:record/gather': "Caller's choice in a menu",
  '/telco/webhook/markup/:record': 'Call asks for TwiML',
  '/telco/webhook/recordingstatus': 'Recording is ready',
  '/telco/webhook/vm_recordingstatus': 'Voicemail is ready',
  '/telco/webhook/message': 'Incoming message',
  '/telco/webhook/message_status': 'Status of a message',
  '/telco/webhook/outgoing_callerid': 'Caller ID was verified',
}
const NEXT_STEP = 'Next step of a call'
const ENDS_OF_NEXT_STEP = ['callaction', 'call_action']

/** A name of a program in words; the name itself, as far as it can be read, where it has none. */
export function programWords(name: string): string {
  const label = own(name)
  if (label !== undefined) return label
  const [, model, id] = RECORD.exec(name) ?? []
  if (model !== undefined) return `${programWords(model)} #${id}`
  if (CALL_ACTION.test(name)) return labelOf(NEXT_STEP)
  const last = name.slice(name.lastIndexOf(name.startsWith('/') ? '/' : '.') + 1)
  return labelOf(nameForPeople(last))
}

/** A webhook of which only the end of its path is known, such as `gather`, in the words of `programWords`. */
export function webhookWords(end: string): string {
  if (isNextStep(end)) return labelOf(NEXT_STEP)
  const path = Object.keys(WORDS).find((name) => name.startsWith('/') && endOf(name) === end)
  return programWords(path ?? end)
}

/** Whether a webhook is one that only asks what a call gets next. */
export function isNextStep(end: string): boolean {
  return ENDS_OF_NEXT_STEP.includes(end)
}

function endOf(path: string): string | undefined {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith(':'))
}

/** What a record is called, where the service makes that of names of programs. */
export function programTitle(model: string, title: string): string {
  if (!OF_PROGRAMS.includes(model)) return title
  const [, deed, kind, id] = AUDITED.exec(title) ?? []
  if (deed !== undefined && kind !== undefined)
    return `${programWords(kind)}${id === undefined ? '' : ` #${id}`} · ${programWords(deed)}`
  const [, name, number] = NUMBERED.exec(title) ?? []
  return name === undefined ? title : `${programWords(name)} ${number}`
}

/** What a part of a value is called: a kind of record by its label, and what programs call otherwise in readable words. */
export function partName(name: string): string {
  if (Object.hasOwn(MODEL_LABELS, name)) return programWords(name)
  const label = labelOf(name)
  return label === name ? labelOf(nameForPeople(name)) : label
}

function own(name: string): string | undefined {
  if (Object.hasOwn(WORDS, name)) return labelOf(WORDS[name] ?? '', name)
  return Object.hasOwn(MODEL_LABELS, name) ? labelOf(MODEL_LABELS[name] ?? '', name) : undefined
}
