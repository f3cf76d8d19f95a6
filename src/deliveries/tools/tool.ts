import { type Static, type TObject, type TProperties, type TSchema, type TString, Type } from 'typebox'
import type { Env, GatheringEnv, OpenEnv, ReadEnv } from '../../platform/access/env.ts'
import type { IncomingRequest } from '../webhooks/webhook-table.ts'
import type { NamedCall } from './named-call.ts'
import type { Argument } from './tool-arguments.ts'

type ToolInput = Readonly<Record<string, Argument<unknown>>>

/**
 * What a tool works with: single reads, one transaction, reads and transactions that it shares with others who call it at the
 * same time, or a way to open its own around work outside of the database.
 */
interface EnvOf {
  read: ReadEnv
  write: Env
  gathered: GatheringEnv
  own: OpenEnv
}

/** The arguments by their names. Each is read when the tool looks at it, so the tool decides which of two bad ones is refused. */
type ArgumentsOf<Input extends ToolInput> = {
  readonly [Name in keyof Input]: Input[Name] extends Argument<infer Value> ? Value : never
}

/** What a tool is given beside its arguments. */
export interface ToolUse<Ports = unknown> {
  /** The call it is used in, when the request names one. */
  named: NamedCall | undefined
  /** What the app hands to every tool. */
  ports: Ports
  /** Which call the delivery is logged with, also when the tool refuses afterwards. */
  setSubject(subject: IncomingRequest['subject']): void
}

interface ToolFacts {
  /** Below the prefix of its area. */
  path: `/${string}`
  /** As the platform knows it. */
  name: string
  /** Its title in the API document. */
  summary: string
  /** What the agent reads to decide when to use it. */
  description: string
  /** Seconds that the platform waits for the answer. */
  timeoutSeconds: number
  input: ToolInput
  /** What it answers. */
  reply: TObject
  /** With which statuses it refuses; 401, 405, 413 and 503 are those of every tool. */
  refuses: readonly (400 | 404 | 409)[]
  /** What else than `error` its refusals may have. */
  refusalExtra?: TProperties
  /** A body that is not there counts as no arguments; what is there is not read. */
  ignoresBody?: boolean
}

interface ToolDeclaration<Access extends keyof EnvOf, Input extends ToolInput, Reply extends TObject, Ports>
  extends ToolFacts {
  /** In the order in which the platform shows them. */
  input: Input
  reply: Reply
  access: Access
  run(env: EnvOf[Access], args: ArgumentsOf<Input>, use: ToolUse<Ports>): Promise<Static<Reply>>
}

type Runs<Access extends keyof EnvOf, Ports> = {
  access: Access
  run(env: EnvOf[Access], sent: Record<string, unknown>, use: ToolUse<Ports>): Promise<object>
}

/** A tool that voice agents may call. */
export type Tool<Ports = unknown> = ToolFacts &
  (Runs<'read', Ports> | Runs<'write', Ports> | Runs<'gathered', Ports> | Runs<'own', Ports>)

/** Declares a tool: its route, its record at the platform, its entry in the API document, and what it does. */
export function tool<Access extends keyof EnvOf, Input extends ToolInput, Reply extends TObject, Ports>(
  declaration: ToolDeclaration<Access, Input, Reply, Ports>,
): ToolFacts & Runs<Access, Ports> {
  return {
    ...declaration,
    run: (env, sent, use) => declaration.run(env, argumentsOf(declaration.input, sent, use), use),
  }
}

/** What a tool answers, with the sentence for the caller that each answer has. */
export function toolReply<Properties extends TProperties>(
  properties: Properties,
): TObject<Properties & { say: TString }> {
  return Type.Object({ ...properties, say: Type.String({ description: 'What the agent says.' }) })
}

/** Tools that are served below one prefix and logged under one name. */
export interface ToolArea<Ports = unknown> {
  area: string
  prefix: `/${string}`
  /** Its tools run with every right: the contract says so for the helpdesk tools. */
  isElevated?: boolean
  /** Who tries one of its tools for real may write this model; without it every administrator may. */
  writes?: string
  tools: readonly Tool<Ports>[]
}

/** A tool as it is installed, for the platform to hold. */
export interface InstalledTool extends Pick<ToolFacts, 'name' | 'path' | 'description' | 'timeoutSeconds'> {
  parameters: {
    name: string
    type: Argument<unknown>['type']
    isRequired: boolean
    /** What the agent reads; without it the platform fills in the dynamic variable of that name. */
    description: string | undefined
  }[]
}

/** The tools of an area, each with the path that it has on this service. */
export function installedTools({ prefix, tools }: Pick<ToolArea, 'prefix' | 'tools'>): InstalledTool[] {
  return tools.map(({ name, path, description, timeoutSeconds, input }) => ({
    name,
    path: `${prefix}${path}`,
    description,
    timeoutSeconds,
    parameters: Object.entries(input).flatMap(([parameter, { type, from, isRequired }]) => {
      if (from === undefined) return []
      if (from === 'variable') return { name: parameter, type, isRequired, description: undefined }
      const isAsked = isRequired || from.isAlwaysAsked === true
      return { name: parameter, type, isRequired: isAsked, description: from.agent }
    }),
  }))
}

/** The arguments as the API document shows them: what must be there first, of that what the platform fills. */
export function argumentSchema({ input }: Pick<ToolFacts, 'input'>): TObject {
  const rank = ({ isRequired, from }: Argument<unknown>): number => {
    if (!isRequired) return 2
    return from === 'variable' ? 0 : 1
  }
  const shown = Object.entries(input)
    .toSorted(([, a], [, b]) => rank(a) - rank(b))
    .flatMap(([name, { schema, isRequired }]): [string, TSchema][] => {
      if (schema === undefined) return []
      return [[name, isRequired ? schema : Type.Optional(orAbsent(schema))]]
    })
  return Type.Object(Object.fromEntries(shown), { additionalProperties: true })
}

/** An argument that may be left out counts as that too when nothing stands in it. */
function orAbsent({ description, ...schema }: TSchema & { description?: string }): TSchema {
  return Type.Union([schema, Type.Null(), Type.Literal(false)], description === undefined ? {} : { description })
}

function argumentsOf<Input extends ToolInput>(
  input: Input,
  sent: Readonly<Record<string, unknown>>,
  { setSubject }: ToolUse,
): ArgumentsOf<Input> {
  const remark = (sentence: string) => setSubject({ remark: sentence })
  const accessors = Object.entries(input).map(([name, argument]) => [
    name,
    { get: () => argument.read(sent[name], name, remark) },
  ])
  return Object.defineProperties({}, Object.fromEntries(accessors)) as ArgumentsOf<Input>
}
