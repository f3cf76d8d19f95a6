import type { Connection } from '../../app/own-api/connection.ts'
import { MASK } from '../../platform/secrets/secrets.ts'

/** What the command line needs to know of a field. */
export interface FieldDescription {
  name: string
  type: string
  /** The model that a link leads to. */
  relation?: string
  string: string
  /** Read by managers only. */
  protected: boolean
  /** A password or a key, no matter who may read it. */
  secret: boolean
}

type FieldDescriptions = Readonly<Record<string, FieldDescription | undefined>>

/** The fields of a model; the built-in administrator may read them all, so it is for us not to print the secrets. */
export function describeFields(connection: Connection, model: string): Promise<FieldDescriptions> {
  return connection.call(model, 'fields_get', {
    attributes: ['name', 'type', 'relation', 'string', 'protected', 'secret'],
  })
}

/** The record with a mask in place of every secret that is set. */
export function withoutSecrets(
  row: Readonly<Record<string, unknown>>,
  fields: FieldDescriptions,
): Record<string, unknown> {
  const shown = Object.entries(row).map(([name, value]) => {
    const isEmpty = value === null || value === ''
    return [name, isSecret(fields[name]) && !isEmpty ? MASK : value]
  })
  return Object.fromEntries(shown)
}

export function isSecret(field: FieldDescription | undefined): boolean {
  return field !== undefined && (field.protected || field.secret)
}
