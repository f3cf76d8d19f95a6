import { Type } from 'typebox'
import { type ApiOperation, jsonBody } from '../api/api-operation.ts'
import { ERROR_REPLIES } from '../api/openapi-replies.ts'
import { Me } from './me.ts'
import { WhoCanHelp } from './membership.ts'

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
  current: Credentials.properties.password,
  next: Type.String({ maxLength: NEW_PASSWORD_CHARS_MAX }),
  end_keys: Type.Optional(Type.Boolean()),
})

/** What a page of sign-in shows, to the person who asks. */
export const SignInFacts = Type.Object({
  is_set_up: Type.Boolean({ description: 'Whether somebody can sign in yet.' }),
  sso: Type.Union([Type.Object({ label: Type.String() }), Type.Null()]),
  name: Type.Union([Type.String(), Type.Null()]),
})

const SignedIn = Type.Object({ id: Type.Integer() })
const SecondStepWanted = Type.Object({ second_factor: Type.Literal(true), ticket: Type.String() })
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
    method: 'get',
    path: '/api/sign-in',
    id: 'sign_in_facts',
    summary: 'How people sign in here',
    reply: jsonBody(SignInFacts),
  },
  {
    ...open,
    method: 'post',
    path: '/api/sign-in',
    id: 'sign_in',
    summary: 'Sign in; the answer sets the session cookie, or has a ticket for the second step, for ten minutes',
    request: jsonBody(Credentials),
    reply: jsonBody(Type.Union([SignedIn, SecondStepWanted])),
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
    summary: 'Give oneself a new password, which ends the other sessions',
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
    proof: 'key',
    method: 'get',
    path: '/api/who-can-help',
    id: 'who_can_help',
    summary: 'Who can change what one may do',
    reply: jsonBody(WhoCanHelp),
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
