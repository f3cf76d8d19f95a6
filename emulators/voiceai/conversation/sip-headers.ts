/** Forms in which a service may be told of the headers of a SIP call: the platform's pages do not settle on one. */
export const SIP_HEADER_FORMS = ['list', 'variables', 'object', 'none'] as const
export type SipHeaderForm = (typeof SIP_HEADER_FORMS)[number]

/** The part of a question to the service that says which headers a call came with. */
export function toSipHeaders(
  headers: Readonly<Record<string, string>>,
  form: SipHeaderForm,
): { sip_headers?: unknown } {
  if (Object.keys(headers).length === 0) return {}
  switch (form) {
    case 'object':
      return { sip_headers: headers }
    case 'list':
      return { sip_headers: Object.entries(headers).map(([name, value]) => ({ name, value })) }
    case 'variables':
      return { sip_headers: headerVariables(headers) }
    case 'none':
      return {}
  }
}

/** Headers as dynamic variables: `X-Connect-Call-Ref` is `sip_connect_call_ref`. */
export function headerVariables(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    `sip_${name.toLowerCase().replace(/^x-/, '').replaceAll('-', '_')}`,
    value,
  ])
  return Object.fromEntries(entries) as Record<string, string>
}
