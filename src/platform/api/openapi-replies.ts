import { Type } from 'typebox'

const STATUSES: readonly [status: string, name: string, description: string][] = [
  ['400', 'Malformed', 'Malformed'],
  ['401', 'Unauthorized', 'No identity'],
  ['403', 'Forbidden', 'Not allowed'],
  ['404', 'NotFound', 'Unknown model, method or record'],
  ['409', 'Conflict', 'Taken, or still used'],
  ['413', 'TooLarge', 'Too large'],
  ['415', 'WrongType', 'Not JSON'],
  ['422', 'Refused', 'Value refused'],
  ['429', 'TooMany', 'Too many attempts'],
  ['503', 'Unavailable', 'The database is unavailable at the moment'],
]

/** What a refused call answers, in the shape of the JSON-2 API. */
export const ERROR = Type.Object({
  name: Type.String(),
  message: Type.String({ description: 'One sentence that names what is wrong.' }),
  arguments: Type.Array(Type.String()),
  context: Type.Object({
    code: Type.Optional(
      Type.String({
        description:
          'Names the refusal, whatever its sentence is: src/refusals-for-people.ts and src/refusals-for-programs.ts.',
      }),
    ),
    params: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'What the sentence is about, by name.' }),
    ),
    kind: Type.Optional(Type.String({ description: 'The kind of the refusal, such as refused or conflict.' })),
    model: Type.Optional(Type.String()),
    labels: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'What people call the models and fields that the sentences name, by those names.',
      }),
    ),
    field: Type.Optional(Type.String({ description: 'The first field that is wrong.' })),
    problems: Type.Optional(
      Type.Array(
        Type.Object({
          field: Type.Union([Type.String(), Type.Null()]),
          message: Type.String(),
          code: Type.Optional(Type.String()),
          params: Type.Optional(Type.Record(Type.String(), Type.String())),
          inside: Type.Optional(
            Type.Object(
              { field: Type.String(), at: Type.Integer() },
              {
                description:
                  'Of a record that is written with another: the field of that one, and which of its commands, from 0.',
              },
            ),
          ),
        }),
      ),
    ),
  }),
  debug: Type.String(),
})

/** The refusals, written once for all operations. */
export const ERROR_RESPONSES = Object.fromEntries(
  STATUSES.map(([, name, description]) => [
    name,
    { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
  ]),
)

/** The same as an operation names them, by status. */
export const ERROR_REPLIES = Object.fromEntries(
  STATUSES.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
)
