import type { HttpRoute } from '../../http-server.ts'
import type { Store } from '../store.ts'
import { classicRoutes, type RestParts } from './classic-resource.ts'
import { badRequest, notFound } from './rest-error.ts'

const USERNAME_CHARS_MAX = 32
const PASSWORD_CHARS_MIN = 12
/** The provider's one code for whatever it dislikes about lists and credentials. */
const CREDENTIAL_ERROR = 21240

/** Credential lists and the credentials in them. */
export function sipCredentialRoutes(parts: RestParts): HttpRoute[] {
  const { credentialLists, credentials, callMappings, registrationMappings } = parts.account
  const lists = classicRoutes(
    {
      prefix: 'CL',
      path: '/SIP/CredentialLists',
      key: 'credential_lists',
      store: credentialLists,
      fields: { friendly_name: 'text' },
      isCreatable: true,
      isDeletable: true,
      complete: ({ friendly_name: name }) => {
        if (typeof name !== 'string' || name === '') throw badRequest(CREDENTIAL_ERROR, 'FriendlyName is required')
        if (credentialLists.findWhere('friendly_name', name) !== undefined) {
          throw badRequest(CREDENTIAL_ERROR, `A Credential List named ${name} already exists`)
        }
        return { friendly_name: name, subresource_uris: {} }
      },
      onRemoved({ sid }) {
        for (const store of [callMappings, registrationMappings]) removeWhere(store, 'list_sid', sid)
        removeWhere(credentials, 'credential_list_sid', sid)
      },
    },
    parts,
  )
  return [...lists, ...credentialRoutes(parts)]
}

function credentialRoutes(parts: RestParts): HttpRoute[] {
  const { credentialLists, credentials } = parts.account
  return classicRoutes(
    {
      prefix: 'CR',
      path: '/SIP/CredentialLists/:list/Credentials',
      key: 'credentials',
      store: credentials,
      fields: { username: 'text', password: 'text' },
      isCreatable: true,
      isDeletable: true,
      isBelow: (record, { params }) => record.credential_list_sid === params.list,
      check: ({ password }, record) => checkPassword(password, String(record.username)),
      complete({ username, password }, { params, path }) {
        const list = params.list ?? ''
        if (credentialLists.find(list) === undefined) throw notFound(path)
        const name = String(username ?? '')
        if (name === '' || name.length > USERNAME_CHARS_MAX) {
          throw badRequest(CREDENTIAL_ERROR, `Username must have 1 to ${USERNAME_CHARS_MAX} characters`)
        }
        const isTaken = credentials
          .list()
          .some((other) => other.username === name && other.credential_list_sid === list)
        if (isTaken) throw badRequest(CREDENTIAL_ERROR, `Username ${name} already exists in this Credential List`)
        checkPassword(password, name)
        return { credential_list_sid: list, username: name }
      },
    },
    parts,
  ).map(withoutPassword)
}

function checkPassword(password: unknown, username: string): void {
  const isGood =
    typeof password === 'string' &&
    password.length >= PASSWORD_CHARS_MIN &&
    [/[a-z]/, /[A-Z]/, /\d/].every((pattern) => pattern.test(password))
  if (isGood) return
  throw badRequest(
    CREDENTIAL_ERROR,
    `The password of ${username} must have ${PASSWORD_CHARS_MIN} characters, one digit and mixed case`,
  )
}

/** A password goes in and never comes out again. */
function withoutPassword(route: HttpRoute): HttpRoute {
  return {
    ...route,
    async handle(request) {
      const reply = await route.handle(request)
      if (typeof reply.body !== 'string') return reply
      return {
        ...reply,
        body: JSON.stringify(JSON.parse(reply.body, (key, value) => (key === 'password' ? undefined : value))),
      }
    },
  }
}

function removeWhere(store: Store, field: string, value: string): void {
  for (const record of store.list()) if (record[field] === value) store.remove(record.sid)
}
