import { Type } from 'typebox'
import { type ApiOperation, jsonBody } from '../api/api-operation.ts'
import { ERROR_REPLIES } from '../api/openapi-replies.ts'
import { Me } from './me.ts'

const TEXT_CHARS_MAX = 200
/** More than a password may have, so that the sentence is the one of passwords. */
const NEW_PASSWORD_CHARS_MAX = 10_000

export const Credentials = Type.Object({
  login: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
  password: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
})
export const FirstAdministrator = Type.Object({
  token: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
  name: Type.String({ minLength: 1, maxLength: TEXT_CHARS_MAX }),
  ...Credentials.properties,
})
export const PasswordChange = Type.Object({
  password: Credentials.properties.password,
  new_password: Type.String({ maxLength: NEW_PASSWORD_CHARS_MAX }),
  end_keys: Type.Optional(Type.Boolean()),
})

const SignedIn = Type.Object({ id: Type.Integer() })
const PasswordChanged = Type.Object({
  id: Type.Integer(),
  keys_ended: Type.Integer(),
  keys_left: Type.Integer(),
})

const open = { tag: 'sign-in', proof: 'nobody', others: ERROR_REPLIES } as const

/** The routes of sign-in, as the API document shows them; those that take a body check it with the same schema. */
export const SESSION_OPERATIONS: readonly ApiOperation[] = [
  {
    ...open,
    method: 'post',
    path: '/api/sign-in',
    id: 'sign_in',
    summary: 'Sign in; the answer sets the session cookie',
    request: jsonBody(Credentials),
    reply: jsonBody(SignedIn),
  },
  {
    ...open,
    method: 'post',
    path: '/api/sign-out',
    id: 'sign_out',
    summary: 'End the session',
    reply: jsonBody(Type.Object({ ok: Type.Literal(true) })),
  },
  {
    ...open,
    proof: 'key',
    method: 'post',
    path: '/api/password',
    id: 'change_password',
    summary: 'Give oneself a new password, which ends every session',
    request: jsonBody(PasswordChange),
    reply: jsonBody(PasswordChanged),
  },
  {
    ...open,
    proof: 'key',
    method: 'get',
    path: '/api/me',
    id: 'me',
    summary: 'Who is signed in, what they may do, and what is set up',
    reply: jsonBody(Me),
  },
  {
    ...open,
    method: 'post',
    path: '/api/setup',
    id: 'set_up',
    summary: 'Create the first administrator, once, with the token of the printed link',
    request: jsonBody(FirstAdministrator),
    reply: jsonBody(SignedIn),
  },
]
