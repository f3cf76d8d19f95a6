import { type TObject, type TProperties, type TSchema, Type } from 'typebox'

/** An id as agents send it: a number, or its digits, because dynamic variables are texts. */
export const IdArgument = (): TSchema => Type.Union([Type.Integer(), Type.String()])
/** A yes or no as agents send it. */
export const FlagArgument = (): TSchema => Type.Union([Type.Boolean(), Type.String()])

/** Arguments of a tool: those that must be there, and those that may; what else is sent is ignored. */
export function toolArguments(required: TProperties, optional: TProperties = {}): TObject {
  return Type.Object(
    {
      ...required,
      ...Object.fromEntries(Object.entries(optional).map(([name, schema]) => [name, Type.Optional(schema)])),
    },
    { additionalProperties: true },
  )
}

/** What a tool answers, with the sentence for the caller that each answer has. */
export function toolReply(properties: TProperties): TObject {
  return Type.Object({ ...properties, say: Type.String({ description: 'What the agent says.' }) })
}
