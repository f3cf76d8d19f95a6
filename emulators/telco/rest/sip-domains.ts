import { type HttpRequest, type HttpRoute, jsonReply } from '../../http-server.ts'
import { rfc2822 } from '../dates.ts'
import { type Store, textOf, type WireRecord } from '../store.ts'
import { classicRoutes, formOf, type RestParts } from './classic-resource.ts'
import { type FieldKinds, readFields } from './form-fields.ts'
import { classicPage } from './pages.ts'
import { badRequest, notFound } from './rest-error.ts'

export const SIP_SUFFIX = '.sip.twilio.com'
const DOMAIN_NAME = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.sip\.twilio\.com$/i

const FIELDS: FieldKinds = {
  friendly_name: 'text',
  domain_name: 'text',
  voice_url: 'address',
  voice_method: 'method',
  voice_fallback_url: 'address',
  voice_fallback_method: 'method',
  voice_status_callback_url: 'address',
  voice_status_callback_method: 'method',
  sip_registration: 'boolean',
  emergency_calling_enabled: 'boolean',
  secure: 'boolean',
  byoc_trunk_sid: 'text',
  emergency_caller_sid: 'text',
}

/** SIP domains and the two ways in which credential lists are mapped to them. */
export function sipDomainRoutes(parts: RestParts): HttpRoute[] {
  const { domains, callMappings, registrationMappings } = parts.account
  const routes = classicRoutes(
    {
      prefix: 'SD',
      path: '/SIP/Domains',
      key: 'domains',
      store: domains,
      fields: FIELDS,
      isCreatable: true,
      isDeletable: true,
      check: ({ domain_name: name }, record) => checkName(domains, name ?? record.domain_name, record.sid),
      complete(values) {
        checkName(domains, values.domain_name)
        return { ...DEFAULTS, ...values }
      },
      onRemoved({ sid }) {
        for (const store of [callMappings, registrationMappings]) {
          for (const mapping of store.list()) if (mapping.domain_sid === sid) store.remove(mapping.sid)
        }
      },
    },
    parts,
  )
  return [
    ...routes,
    ...mappingRoutes('/SIP/Domains/:domain/Auth/Calls/CredentialListMappings', callMappings, parts),
    ...mappingRoutes('/SIP/Domains/:domain/Auth/Registrations/CredentialListMappings', registrationMappings, parts),
  ]
}

const DEFAULTS = {
  auth_type: '',
  friendly_name: '',
  voice_url: null,
  voice_method: 'POST',
  voice_fallback_url: null,
  voice_fallback_method: 'POST',
  voice_status_callback_url: null,
  voice_status_callback_method: 'POST',
  sip_registration: false,
  emergency_calling_enabled: false,
  secure: false,
  byoc_trunk_sid: null,
  emergency_caller_sid: null,
  subresource_uris: {},
}

function checkName(domains: Store, name: unknown, ownSid?: string): void {
  if (typeof name !== 'string' || !DOMAIN_NAME.test(name)) {
    throw badRequest(21231, `DomainName must end with ${SIP_SUFFIX}: ${String(name)}`)
  }
  const other = domains.findWhere('domain_name', name)
  if (other !== undefined && other.sid !== ownSid) throw badRequest(21232, `DomainName ${name} already exists`)
}

/** A mapping has the id of its list, so one domain and one list make one record: kept under both. */
function mappingRoutes(path: string, store: Store, { account, clock }: RestParts): HttpRoute[] {
  const keyOf = ({ params }: HttpRequest, list: string): string => `${params.domain}:${list}`
  const toWire = (mapping: WireRecord): unknown => ({ ...mapping, sid: mapping.list_sid })
  const domainOf = (request: HttpRequest): string => {
    const sid = request.params.domain ?? ''
    if (account.domains.find(sid) === undefined) throw notFound(request.path)
    return sid
  }
  const find = (request: HttpRequest): WireRecord => {
    const mapping = store.find(keyOf(request, request.params.sid ?? ''))
    if (mapping === undefined) throw notFound(request.path)
    return mapping
  }
  return [
    {
      method: 'GET',
      path: `${path}.json`,
      handle(request) {
        const domain = domainOf(request)
        return classicPage(
          request,
          'contents',
          store
            .list()
            .filter((mapping) => mapping.domain_sid === domain)
            .map(toWire),
        )
      },
    },
    { method: 'GET', path: `${path}/:sid.json`, handle: (request) => jsonReply(200, toWire(find(request))) },
    {
      method: 'POST',
      path: `${path}.json`,
      handle(request) {
        const domain = domainOf(request)
        const { credential_list_sid: sid } = readFields(formOf(request), { credential_list_sid: 'text' })
        const list = account.credentialLists.find(String(sid))
        if (list === undefined) throw badRequest(21240, `Credential List ${String(sid)} does not exist`)
        const key = keyOf(request, list.sid)
        if (store.find(key) !== undefined) throw badRequest(21240, 'The Credential List is already associated')
        const date = rfc2822(clock.now())
        const mapping = store.add({
          sid: key,
          list_sid: list.sid,
          domain_sid: domain,
          account_sid: account.sid,
          friendly_name: textOf(list, 'friendly_name') ?? '',
          date_created: date,
          date_updated: date,
        })
        return jsonReply(201, toWire(mapping))
      },
    },
    {
      method: 'DELETE',
      path: `${path}/:sid.json`,
      handle(request) {
        store.remove(find(request).sid)
        return { status: 204 }
      },
    },
  ]
}
