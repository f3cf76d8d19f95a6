import { extenNumbers, releaseExtensions } from '../../directory/extensions.ts'
import { ONE_LINE } from '../../names.ts'
import {
  boolean,
  char,
  computed,
  integer,
  many2many,
  many2one,
  one2many,
  selection,
  text,
} from '../../platform/model/fields.ts'
import { defineModel, type Row, type Values } from '../../platform/model/model.ts'
import { remarksField } from '../../platform/model/remarks.ts'
import { isBlankText } from '../../platform/model/values.ts'
import { markupUrl, webhookField } from '../applications/webhook-url.ts'
import { extensionNumberCheck } from '../extensions/extension-checks.ts'
import { giveExtension } from '../extensions/extension-target.ts'
import { requireHints } from '../markup/hints.ts'
import { inItsLanguage } from '../sentences/in-its-language.ts'
import { sentence } from '../sentences/sentence.ts'
import { removePromptFiles, updatePromptFiles } from '../speech/spoken-prompts.ts'
import { callflowRemarks } from './callflow-remarks.ts'
import { CHOICES_TOGETHER } from './choice-rule.ts'
import { fallbackFields } from './fallback-fields.ts'
import { ringsNoOne } from './rings-no-one.ts'
import { SPEECH_LANGUAGE_DEFAULT, SPEECH_LANGUAGES, VOICE_HELP } from './speech-languages.ts'

export const GATHER_SECONDS_DEFAULT = 5
const GATHER_SECONDS_MAX = 600
const GATHER_DIGITS_MAX = 64
export const GATHER_ROUNDS_DEFAULT = 3
const GATHER_ROUNDS_MAX = 10

/** A spoken menu: it asks for digits or words, then goes to an extension, rings people or takes a message. */
export const callflowModel = defineModel({
  name: 'connect.telco.callflow',
  label: 'Call flow',
  order: 'name',
  fields: {
    name: char('Name', { required: true, pattern: ONE_LINE }),
    exten: many2one('Extension', 'connect.telco.exten', { readonly: true }),
    exten_number: computed('Short number', 'char', {
      depends: ['exten'],
      isWritable: true,
      help: 'Short number for this flow, such as 101.',
      compute: (env, rows) => extenNumbers(env, rows, 'exten'),
    }),
    language: selection('Language', SPEECH_LANGUAGES, { required: true, default: SPEECH_LANGUAGE_DEFAULT }),
    voice: char('Voice', { help: VOICE_HELP }),
    gather_input: boolean('Ask callers to choose', { help: 'Callers can press keys or speak during the prompt.' }),
    gather_input_type: selection(
      'Input',
      { dtmf: 'Keys', speech: 'Speech', 'dtmf speech': 'Keys or speech' },
      { default: 'dtmf' },
    ),
    gather_timeout: integer('Wait for input (seconds)', {
      default: GATHER_SECONDS_DEFAULT,
      min: 1,
      max: GATHER_SECONDS_MAX,
    }),
    gather_digits: integer('Number of keys', { required: true, default: 1, min: 1, max: GATHER_DIGITS_MAX }),
    gather_hints: text('Likely words', {
      default: 'sales, support, invoices, I would like to speak to somebody',
      help: 'Words callers are likely to say, separated by commas.',
    }),
    prompt_message: text('Prompt', { default: sentence('welcome') }),
    gather_rounds: integer('Attempts', {
      default: GATHER_ROUNDS_DEFAULT,
      min: 1,
      max: GATHER_ROUNDS_MAX,
      help: 'After that many wrong keys the call goes on without asking again.',
    }),
    invalid_input_message: text('Message after a wrong key', { default: sentence('wrongInput') }),
    choices: one2many('Choices', 'connect.telco.callflow_choice', 'callflow', { hasParts: true }),
    ring_users: many2many(
      'Ring',
      'connect.user',
      { table: 'connect_telco_callflow_ring_users_rel', here: 'callflow_id', there: 'user_id' },
      { offers: [['active', '!=', false]] },
    ),
    ring_mobiles: many2many(
      'Ring mobiles too',
      'connect.telco.exten',
      { table: 'connect_telco_callflow_ring_mobiles_rel', here: 'callflow_id', there: 'exten_id' },
      { offers: [['mobile_number', '!=', false]], help: 'Extensions that lead to a mobile.' },
    ),
    ...fallbackFields(),
    record_calls: boolean('Record calls'),
    voicemail_enabled: boolean('Voicemail', {
      help: 'Takes a message when none of the phones that this menu rings answers. A key that leads to an extension has the voicemail of that extension.',
    }),
    voicemail_prompt: text('Voicemail prompt', {
      help: 'Leave empty for the standard prompt.',
    }),
    gather_action_url: webhookField('Input URL', ({ apiUrl, edge }, { id }) =>
      markupUrl(apiUrl, `/telco/webhook/callflow/${id}/gather`, edge),
    ),
    rings_no_one: ringsNoOne,
    remarks: remarksField(callflowRemarks),
    prompt_message_file: generatedSpeech('Generated prompt'),
    invalid_input_message_file: generatedSpeech('Generated message after a wrong key'),
    voicemail_prompt_file: generatedSpeech('Generated voicemail prompt'),
  },
  checks: [
    {
      fields: ['gather_hints'],
      says: 'Phrases of up to 100 characters, at most 500 of them.',
      require({ values: { gather_hints: hints } }) {
        if (typeof hints === 'string') requireHints(hints)
      },
    },
    extensionNumberCheck('connect.telco.callflow', 'exten_number', 'exten'),
  ],
  prepare: (_env, values, current) =>
    inItsLanguage(withVoicemailPrompt(values, current), current, {
      prompt_message: 'welcome',
      invalid_input_message: 'wrongInput',
      voicemail_prompt: 'leaveMessage',
    }),
  async saved(env, { id, values }) {
    if ('exten_number' in values) {
      await giveExtension(env, { model: 'connect.telco.callflow', resId: id }, values.exten_number)
    }
    await updatePromptFiles(env, 'connect.telco.callflow', id)
  },
  async removing(env, ids) {
    await releaseExtensions(env, 'connect.telco.callflow', ids)
    await removePromptFiles(env, 'connect.telco.callflow', ids)
  },
})

/** One branch of a call flow. */
export const callflowChoiceModel = defineModel({
  name: 'connect.telco.callflow_choice',
  label: 'Call flow choice',
  order: 'sequence, id',
  display: { columns: ['choice_digits'], show: (row) => String(row.choice_digits) },
  fields: {
    callflow: many2one('Call flow', 'connect.telco.callflow', { required: true, onDelete: 'cascade' }),
    choice_digits: char('Keys', {
      required: true,
      maxLength: GATHER_DIGITS_MAX,
      pattern: { matches: /^[\d*#]+$/, says: 'digits, * or #' },
    }),
    exten: many2one('Extension', 'connect.telco.exten', { required: true, onDelete: 'restrict' }),
    speech: char('Spoken words', { help: 'Callers can also say this.' }),
    sequence: integer('Order', { widget: 'order' }),
  },
  together: CHOICES_TOGETHER,
})

/** Voicemail that is switched on without a word of its prompt has the usual one; an empty prompt that somebody writes stays. */
function withVoicemailPrompt(values: Values, current: Row | undefined): Values {
  const isMissing = !('voicemail_prompt' in values) && isBlankText(current?.voicemail_prompt)
  if (values.voicemail_enabled !== true || !isMissing) return values
  const language = values.language ?? current?.language
  return {
    ...values,
    voicemail_prompt: sentence('leaveMessage', typeof language === 'string' ? language : undefined),
  }
}

function generatedSpeech(label: string) {
  return many2one(label, 'connect.voiceai_file', { readonly: true, isIndexed: false })
}
