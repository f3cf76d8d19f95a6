import type { Refusal } from '../errors.ts'
import type { Env, ReadEnv } from '../platform/access/env.ts'

/** The call that markup is rendered for. */
export interface RenderedCall {
  callSid: string
  caller: string
  called: string
}

/** Markup that connects a call with an extension; without it, why that takes no calls. */
export type PutThrough =
  | { readonly markup: string; readonly refusal?: never }
  | { readonly refusal: Refusal; readonly markup?: never }

/** An extension that voice agents may transfer to. */
export interface PublishedExtension {
  id: number
  number: string
  /** Name of what it leads to. */
  name: string
}

/** What the telephony area knows of who can be reached, for the areas beside it. */
export interface PhoneDirectory {
  /** Phone users that have an extension, by name. */
  listUsers(env: ReadEnv): Promise<readonly { readonly name: string; readonly extension: string }[]>
  listPublishedExtensions(env: ReadEnv): Promise<readonly PublishedExtension[]>
  /** Markup that connects the call to the extension. Throws when the extension has no usable target. */
  renderExtension(env: Env, extensionId: number, call: RenderedCall): Promise<string>
  /** The same for a voice agent that puts the caller through. Nothing is thrown, so that it is saved whom the call was for. */
  putThrough(env: Env, extensionId: number, call: RenderedCall): Promise<PutThrough>
}
