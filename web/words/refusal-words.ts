import { namesForPeople } from './for-people.ts'
import { labelOf } from './labels.ts'

type Words = Readonly<Record<string, string>>

/** English sentences that the contract has, or that say how a program writes a value, as a person is told. */
const PLAINER: Words = {
  'address-local': 'The public address must not lead to this machine. Use a public domain.',
  'address-not-https': 'The public address must start with https.',
  'address-private': '{{host}} is a private address that no provider can reach. Use a public domain.',
  'address-private-name': '{{host}} is a name of a private network that no provider can reach. Use a public domain.',
  'caller-not-a-number':
    'No one can call from “{{from}}”. Write a phone number, with its country code if it is abroad.',
  'choice-digits-twice': 'The call flow “{{flow}}” already has the choice “{{digits}}”.',
  'choice-words-twice': 'The call flow “{{flow}}” already uses the words “{{speech}}” for the choice {{digits}}.',
  'has-not-written-on-whatsapp-within':
    '{{number}} has not written on WhatsApp within the last 24 hours. Send an approved template.',
  'no-number-ours': '{{to}} is not one of your numbers. Your numbers are {{numbers}}.',
  'no-number-ours-send-from-one': 'You have no number to send from, or the one named is not yours.',
  'no-such-record': 'Not found, or not shared with you.',
  'no-whatsapp-sender-online': 'No WhatsApp sender is online.',
  'no-whatsapp-sender-online-not-one': 'No WhatsApp sender is online, or the one named is not yours.',
  'not-boolean': 'This must be yes or no.',
  'not-date': 'This must be a date, such as 2026-11-23.',
  'not-date-time': 'This must be a date and time, such as 2026-11-23 09:00.',
  'not-record': 'This must be an entry.',
  'post-empty': 'The message is empty. Write a text, or attach a file.',
  'sender-name-cannot-be-answered': '“{{name}}” is not a phone number, so no message can be sent to it.',
  'sign-send-api-key-authorization-bearer': 'Sign in first.',
  'sip-domain-protected-switch-delete-protection':
    'The SIP domain “{{friendly_name}}” is protected. Turn the protection off before you delete it.',
  'stage-of-other-teams': '“{{stage}}” is a stage of other teams, not of “{{team}}”.',
  'unknown-language': '{{lang}} is not a known language.',
  'voice-agents-off': 'Voice agents are switched off. Turn them on first.',
  'voice-address-not-set': 'The public address is not set. ElevenLabs needs the public https address of this service.',
  'voice-key-not-set': 'The API key of ElevenLabs is not set.',
  'with-these-values-record-would-not': 'With these values you could no longer see the entry.',
  'you-must-select-default-number-for': 'Choose the number that is shown on outgoing calls.',
}

/** What a refusal is about, and what people call the models and fields that its sentence names. */
export interface Said {
  params: Words
  labels: Words
  model: string
}

/** A refusal in other words where there are any for its code; models and fields are called what people call them. */
export function wordRefusal(
  message: string,
  code: string,
  { params, labels, model, words }: Said & { words: Words },
): string {
  const sentence = own(words, code) ?? own(PLAINER, code)
  const said = sentence?.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => params[name] ?? '') ?? message
  return namesForPeople(said, (name) => {
    const label = own(labels, name)
    return label === undefined ? undefined : labelOf(label, name.includes('.') ? name : `${model}.${name}`)
  })
}

function own(words: Words, key: string): string | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined
}
