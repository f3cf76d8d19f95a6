import { wordFinding } from './finding-words.ts'

type Words = Readonly<Record<string, string>>

/** English sentences that say what to type at the command line, as a person on the page is told; the others are said as they are. */
const ON_PAGE: Words = {
  'connect deliveries list --inbox says why; connect deliveries replay <id> tries them again.':
    'Open the inbox to see why, and replay them there.',
  'connect deliveries list --rejected; connect deliveries explain <id> says whether a setting is wrong.':
    'Open the webhook to see whether a setting is wrong.',
  'Tell callers (connect settings set announce_recordings on), or do not record where the law forbids it.':
    'Tell callers, or do not record where the law forbids it.',
  'connect deliveries show {1} says what happened.': 'Open webhook {1} to see what happened.',
  'A proxy must pass the header and body unchanged; then run connect sync voiceai.':
    'A proxy must pass the header and body unchanged; then sync the voice agents.',
  'A proxy must pass the header x-voiceai-agent-token; then run connect sync voiceai.':
    'A proxy must pass the header x-voiceai-agent-token; then sync the voice agents.',
  'Fix that, then: {1}': 'Fix that, then {1}.',
  'connect sync voiceai': 'sync the voice agents',
  'connect sync telco': 'sync Twilio',
}
const COMMAND = /^connect [a-z]/
const COMMAND_ALONE = /^connect [a-z ]+$/

/** How a finding is set right on the page; nothing where that is a command alone, because a link leads to its place. */
export function wordFix(english: string, words: Words): string {
  const said = COMMAND_ALONE.test(english) ? '' : wordFinding(english, { ...ON_PAGE, ...words })
  return COMMAND.test(said) ? '' : said
}
