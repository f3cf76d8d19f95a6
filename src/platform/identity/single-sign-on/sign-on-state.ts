import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Platform } from '../../access/env.ts'

/** How long somebody may take at the provider. */
export const STATE_SECONDS = 10 * 60
const MS_PER_SECOND = 1_000
const PLACE = 'sign-on state'

const State = Type.Object({
  state: Type.String(),
  nonce: Type.String(),
  verifier: Type.String(),
  /** Where the provider sends the browser back to. */
  redirect: Type.String(),
  /** Where somebody wanted to go. */
  next: Type.String(),
  /** Who is signed in already, and links their account. */
  linkTo: Type.Optional(Type.Integer()),
  /** The session in which they gave their password for it. */
  session: Type.Optional(Type.Integer()),
  until: Type.Integer(),
})
const checkState = Compile(State)

/** What a browser keeps while its person is at the provider; it cannot read it. */
export type SignOnState = Omit<import('typebox').Static<typeof State>, 'until'>

export function sealState({ cipher, clock }: Platform, state: SignOnState): string {
  const until = clock().getTime() + STATE_SECONDS * MS_PER_SECOND
  return Buffer.from(cipher.encrypt(JSON.stringify({ ...state, until }), PLACE)).toString('base64url')
}

/** Undefined when it is over, or none of ours. */
export function openState({ cipher, clock }: Platform, sealed: string | undefined): SignOnState | undefined {
  try {
    const text = cipher.decrypt(Buffer.from(sealed ?? '', 'base64url').toString(), PLACE)
    const state: unknown = JSON.parse(text)
    return checkState.Check(state) && state.until > clock().getTime() ? state : undefined
  } catch {
    // Whatever somebody made up says nothing.
    return undefined
  }
}
