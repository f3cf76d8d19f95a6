/** The twelve routes of docs/reference/contract.md#telephony-webhooks, with ids that a fresh office has records for. */
export const TELCO_ROUTES = [
  'callstatus',
  'callaction',
  'connect.user/call_action/1',
  'number',
  'markup/1',
  'callflow/1/gather',
  'domain',
  'recordingstatus',
  'vm_recordingstatus',
  'message',
  'message_status',
  'outgoing_callerid',
] as const

/** The routes that answer markup, and what the others may answer. */
export const STATUS_TEXTS: Readonly<Record<string, RegExp>> = {
  callstatus: /^(?:\d+|False)$/,
  recordingstatus: /^(?:True|False)$/,
  vm_recordingstatus: /^(?:True|<Response>.*<\/Response>)$/,
  message_status: /^OK$/,
  outgoing_callerid: /^(?:True|False)$/,
}
