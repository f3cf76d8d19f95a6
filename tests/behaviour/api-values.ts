// Good and bad values for the fields of any model, made from what `fields_get` says of them.

/** What `fields_get` says of a field. */
export interface FieldDescription {
  type: string
  required: boolean
  readonly: boolean
  store: boolean
  relation?: string
  relation_field?: string
  selection?: readonly (readonly [string, string])[]
}

export type Fields = Readonly<Record<string, FieldDescription>>

/** A value for each kind of field, where its name says nothing more. */
const BY_TYPE: Readonly<Record<string, unknown>> = {
  char: 'recorded',
  text: 'Recorded text',
  html: '<p>Recorded <b>html</b><script>x</script></p>',
  integer: 3,
  float: 0.5,
  monetary: 1.5,
  boolean: true,
  date: '2031-03-05',
  datetime: '2031-03-05 10:00:00',
  json: { recorded: [1, 'a'] },
}
const BY_NAME: Readonly<Record<string, unknown>> = {
  phone: '+41315550142',
  mobile: '+41795550142',
  email: 'recorded@example.com',
  partner_email: 'recorded@example.com',
  login: 'recorded@example.com',
  tz: 'Europe/Zurich',
  lang: 'en_US',
  code: 'zz',
  username: 'recorded',
  subdomain: 'recorded',
  to_number: '+41315550143',
  phone_number: '+41315550144',
  caller_id: '+41315550145',
}
/** What a model needs besides, to be created at all. */
export const BY_MODEL: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'connect.agent_tool_params': { constant_value: '3' },
  'connect.channel': { sid: 'CA000000000000000000000000000000aa' },
  'connect.telco.callflow_choice': { choice_digits: '7' },
  'connect.telco.exten': { number: '701' },
  'connect.telco.markup': { code_type: 'markup', markup: '<Response><Hangup/></Response>', name: 'Recorded markup' },
  'connect.telco.opening': { hour_from: 8, hour_to: 12 },
  'connect.telco.outgoing_callerid': { number: '+41315550146' },
  'connect.user': { username: 'recorded.phone' },
  'connect.voiceai_file': { filename: 'abcdef0123456789.mp3' },
  'connect.whatsapp_sender': { number: '+41315550147' },
  'res.country': { code: 'ZZ' },
  'resource.calendar.attendance': { hour_from: 8, hour_to: 12 },
}

/** Put into each field in turn; each is wrong for some kinds of field at least. */
export const BAD_VALUES: readonly unknown[] = [null, -1, 'x'.repeat(300), [1, 2], { a: 1 }]

/** A value that this field may well take; undefined where only the service sets it. */
export function goodValue(
  model: string,
  name: string,
  field: FieldDescription,
  linked: ReadonlyMap<string, number>,
): unknown {
  const own = BY_MODEL[model]?.[name]
  if (own !== undefined) return own
  if (field.type === 'selection') return field.selection?.at(-1)?.[0]
  if (field.type === 'many2one') return linked.get(field.relation ?? '')
  if (field.type === 'many2many') {
    const id = linked.get(field.relation ?? '')
    return id === undefined ? [] : [[6, 0, [id]]]
  }
  if (field.type === 'one2many') return undefined
  return BY_NAME[name] ?? BY_TYPE[field.type]
}
