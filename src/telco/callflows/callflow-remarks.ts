import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { fallbackRemarks } from '../../directory/fallback-remarks.ts'
import type { Env } from '../../platform/access/env.ts'
import { type Remarks, sentencesOf } from '../../platform/model/remarks.ts'
import { isBlankText } from '../../platform/model/values.ts'
import { RINGS_A_PHONE } from '../phone-users/rings-a-phone.ts'

/** Said of a flow that is to ring people, and cannot. */
export const RINGS_NO_ONE = 'None of the people it rings has a phone that rings.'

interface Flow {
  id: number
  asks: boolean
  input: string
  prompt: string | null
  takes_messages: boolean
  voicemail_prompt: string | null
  fallback_message: string | null
  fallback_exten: number | null
  choices: Choice[] | null
  people: { name: string; rings: boolean }[] | null
  has_mobile: boolean
  /** By a number, or by an extension, as choices of other menus are. */
  is_reached: boolean
}

interface Choice {
  digits: string
  speech: string | null
  leads_nowhere: boolean
  leads_back: boolean
}

/** What of call flows does not work together, each as a sentence. */
export async function callflowRemarks(env: Env, ids: readonly number[]): Promise<Remarks> {
  const flows = await env.db.query<Flow>(
    sql`select f.id, f.gather_input is true as asks, coalesce(f.gather_input_type, 'dtmf') as input, f.prompt_message as prompt,
          f.voicemail_enabled is true as takes_messages, f.voicemail_prompt, f.fallback_message, f.fallback_exten,
          (select json_agg(json_build_object('digits', c.choice_digits, 'speech', c.speech, 'leads_nowhere', e.model is null and e.mobile_number is null,
              'leads_back', e.model = 'connect.telco.callflow' and e.res_id = f.id) order by c.id)
            from connect_telco_callflow_choice c join connect_telco_exten e on e.id = c.exten where c.callflow = f.id) as choices,
          (select json_agg(json_build_object('name', u.name, 'rings', ${RINGS_A_PHONE}) order by u.name, u.id)
            from connect_telco_callflow_ring_users_rel r join connect_user u on u.id = r.user_id where r.callflow_id = f.id) as people,
          exists (select 1 from connect_telco_callflow_ring_mobiles_rel r join connect_telco_exten e on e.id = r.exten_id
            where r.callflow_id = f.id and e.mobile_number is not null) as has_mobile,
          exists (select 1 from connect_telco_number n where n.destination = 'callflow' and n.callflow = f.id)
            or exists (select 1 from connect_telco_exten e where e.model = 'connect.telco.callflow' and e.res_id = f.id) as is_reached
        from connect_telco_callflow f where f.id in (${idList(ids)})`,
  )
  const failing = flows.some((flow) => flow.fallback_exten !== null)
    ? await fallbackRemarks(env.db, 'connect.telco.callflow')
    : new Map<number, string>()
  return new Map(flows.map((flow) => [flow.id, remarksOf(flow, [failing.get(flow.id) ?? []].flat())]))
}

function remarksOf(flow: Flow, whenFailing: readonly string[]): string[] {
  const [choices, people] = [flow.choices ?? [], flow.people ?? []]
  const asks = flow.asks && !isBlankText(flow.prompt)
  const rings = ringsAnybody(flow)
  return [
    ...sentencesOf([
      [!flow.is_reached, 'No number or extension leads here, so no one can reach it.'],
      [flow.asks && !asks, 'The prompt is empty, so callers are not asked to choose.'],
      [flow.asks && choices.length === 0, 'Callers are asked to choose, but there are no choices.'],
      [!flow.asks && choices.length > 0, 'There are choices, but callers are not asked to choose.'],
      [flow.takes_messages && !hasVoicemail(flow), 'Voicemail is on but has no prompt, so no messages are taken.'],
      [people.length > 0 && !rings, RINGS_NO_ONE],
    ]),
    ...(goesOnWithoutInput(flow, rings) ? [] : [endOf(choices, asks)]),
    ...whenFailing,
    ...choiceRemarks(flow, choices),
    ...(rings ? people.filter((person) => !person.rings) : []).map(({ name }) => `"${name}" has no phone that rings.`),
  ]
}

function ringsAnybody({ has_mobile: hasMobile, people }: Flow): boolean {
  return hasMobile || (people ?? []).some((person) => person.rings)
}

function hasVoicemail({ takes_messages: isOn, voicemail_prompt: prompt }: Flow): boolean {
  return isOn && !isBlankText(prompt)
}

function goesOnWithoutInput(flow: Flow, rings: boolean): boolean {
  return rings || hasVoicemail(flow) || flow.fallback_exten !== null || !isBlankText(flow.fallback_message)
}

/** How a call ends that the flow does nothing for unless its caller chooses. */
function endOf(choices: readonly Choice[], asks: boolean): string {
  if (isCircle(choices)) return 'Every choice leads back here, and it rings no one and takes no messages.'
  return asks && choices.length > 0
    ? 'It rings no one and takes no messages, so callers who press nothing hear that it has no actions.'
    : 'It rings no one, takes no messages and leads nowhere, so the call ends after the prompt.'
}

function isCircle(choices: readonly Choice[]): boolean {
  return choices.length > 0 && choices.every((choice) => choice.leads_back)
}

function choiceRemarks({ asks, input }: Flow, choices: readonly Choice[]): string[] {
  const areWordsLost = asks && input === 'dtmf' && choices.some(({ speech }) => !isBlankText(speech))
  // Numerals are said for digits; there are none for * and #.
  const unsayable = asks && input === 'speech' ? choices.filter((choice) => isUnsayable(choice)) : []
  return [
    ...(areWordsLost ? ['It accepts keys only, so the spoken words of its choices have no effect.'] : []),
    ...unsayable.map(({ digits }) => `It accepts speech only, but choice "${digits}" has no spoken words.`),
    ...(isCircle(choices) ? [] : choices.filter((choice) => choice.leads_back)).map(
      ({ digits }) => `Choice "${digits}" leads back here, so callers hear the prompt again.`,
    ),
    ...choices.filter((choice) => choice.leads_nowhere).map(({ digits }) => `Choice "${digits}" leads nowhere.`),
  ]
}

function isUnsayable({ digits, speech }: Choice): boolean {
  return isBlankText(speech) && /[*#]/.test(digits)
}
