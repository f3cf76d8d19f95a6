import { Refusal } from '../../errors.ts'
import { boolean, char, many2one, selection, text } from '../../platform/model/fields.ts'
import { defineModel, type Values } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { runButton } from '../../sync/requests.ts'
import { callAddressFields, webhookField } from '../applications/webhook-url.ts'
import { fallbackFields, SPOKEN_CHARS_MAX } from '../callflows/fallback-fields.ts'
import { SPEECH_LANGUAGES } from '../callflows/speech-languages.ts'
import { syncErrorField, TELCO } from '../sync/telco.ts'
import { messageUrl, NUMBER_PATH } from './number-addresses.ts'
import { numberRemarks } from './number-remarks.ts'
import { ownNumber } from './own-number.ts'
import { reachesNoOne } from './reaches-no-one.ts'

/** What can answer a number: each kind has the link of the same name. */
const DESTINATIONS = [
  ['user', 'Phone user'],
  ['callflow', 'Call flow'],
  ['markup', 'TwiML application'],
  ['voiceai_agent', 'Voice agent'],
] as const

/** No code of a country begins so, nor does a number that a provider has. */
const ZERO_IN_FRONT = /^\+?0/
/** A number at home, with its 0. */
const NATIONAL_DIGITS_MIN = 7

/** A phone number of ours at the provider. */
export const numberModel = defineModel({
  name: 'connect.telco.number',
  label: 'Number',
  order: 'phone_number',
  hasChatter: true,
  display: {
    columns: ['phone_number', 'friendly_name'],
    show: ({ phone_number: number, friendly_name: name }) =>
      name && name !== number ? `${name} ${number}` : String(number),
  },
  fields: {
    phone_number: char('Phone number', {
      required: true,
      isUnique: true,
      pattern: { matches: /^\+?\d{3,15}$/, says: 'a phone number such as +15550100001' },
    }),
    friendly_name: char('Name'),
    sid: char('Number SID', { changedBy: 'service', section: 'reported', isIndexed: true }),
    sync_error: syncErrorField(),
    is_ignored: boolean("Don't manage this number", { help: 'Connect leaves it as it is at Twilio.' }),
    destination: selection('Answered by', DESTINATIONS, { tracked: true }),
    user: many2one('Phone user', 'connect.user', { tracked: true, offers: [['active', '!=', false]] }),
    callflow: many2one('Call flow', 'connect.telco.callflow', { tracked: true }),
    markup: many2one('TwiML application', 'connect.telco.markup', {
      tracked: true,
      // A route of calls leads back to the number.
      offers: [['code_type', '=', 'markup']],
    }),
    voiceai_agent: many2one('Voice agent', 'connect.voiceai_agent', { tracked: true }),
    ...fallbackFields({ tracked: true }),
    language: selection('Language', SPEECH_LANGUAGES, { defaultSetting: (settings) => settings.speechLanguage }),
    business_hours: many2one('Business hours', 'connect.telco.business_hours', {
      tracked: true,
      help: 'Leave empty to be always open.',
    }),
    closed_exten: many2one('When closed, ring', 'connect.telco.exten', { isIndexed: false, tracked: true }),
    closed_message: text('Closed message', {
      tracked: true,
      maxLength: SPOKEN_CHARS_MAX,
      help: 'Spoken outside business hours when nothing rings.',
    }),
    reaches_no_one: reachesNoOne,
    remarks: remarksField(numberRemarks),
    ...callAddressFields(() => NUMBER_PATH),
    message_url: webhookField('Message URL', messageUrl),
    message_fallback_url: webhookField('Message fallback URL', messageUrl),
  },
  checks: [
    {
      fields: ['phone_number'],
      says: 'A 0 in front is read in the country of the company.',
      require({ env, values: { phone_number: number }, current }) {
        if (typeof number !== 'string' || number === current?.phone_number || !ZERO_IN_FRONT.test(number)) return
        // Once there is a country, a whole one is read in it.
        const mayBeRead = env.settings.country === undefined && number.length >= NATIONAL_DIGITS_MIN
        if (!mayBeRead) throw new Refusal('refused', 'own-number-not-whole', { number })
      },
    },
  ],
  methods: { sync: runButton(TELCO, 'numbers', 'Sync numbers') },
  async prepare(env, given) {
    const values = { ...given }
    if (typeof values.phone_number === 'string') values.phone_number = await ownNumber(env, values.phone_number)
    return 'destination' in values ? withOnlyLink(values) : values
  },
})

/** The values with the links of all other destinations cleared. */
function withOnlyLink(values: Values): Values {
  const others = DESTINATIONS.map(([kind]) => kind).filter((kind) => kind !== values.destination)
  return { ...values, ...Object.fromEntries(others.map((kind) => [kind, null])) }
}
