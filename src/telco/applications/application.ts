import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { idList } from '../../database/ids.ts'
import { extenNumbers, releaseExtensions } from '../../directory/extensions.ts'
import { Refusal } from '../../errors.ts'
import type { Env } from '../../platform/access/env.ts'
import { char, computed, many2one, selection, text } from '../../platform/model/fields.ts'
import { defineModel, method, type Values } from '../../platform/model/model.ts'
import { runButton } from '../../sync/requests.ts'
import { syncErrorField, TELCO } from '../sync/telco.ts'
import { type TriedTemplate, tryTemplate, unusableReason } from './check-template.ts'
import { TEMPLATE_CHARS_MAX } from './template.ts'
import { callAddressFields } from './webhook-url.ts'

/** The routes that an application may stand for: nothing else of the service can be reached through its name. */
export const MARKUP_ROUTE = { model: 'connect.telco.domain', method: 'route_call' } as const

/** A document that steers calls, or a route of the service in its place. */
export const markupModel = defineModel({
  name: 'connect.telco.markup',
  label: 'TwiML application',
  order: 'name',
  fields: {
    name: char('Name', { required: true }),
    description: text('Description'),
    sid: char('Application SID', { readonly: true }),
    old_sid: char('Previous application SID', { readonly: true }),
    sync_error: syncErrorField(),
    code_type: selection(
      'Type',
      { markup: 'TwiML template', model_method: 'Route of Connect' },
      { required: true, default: 'markup' },
    ),
    markup: text('TwiML', {
      required: true,
      default: '<Response><Say>Hello! Thank you for calling.</Say></Response>',
      maxLength: TEMPLATE_CHARS_MAX,
      help: 'Put values of the call in double braces, such as {{ Caller }}.',
    }),
    model: selection('Route of', { [MARKUP_ROUTE.model]: 'SIP domain' }),
    method: selection('Route', { [MARKUP_ROUTE.method]: 'Calls of SIP domains' }),
    exten: many2one('Extension', 'connect.telco.exten', { readonly: true }),
    exten_number: computed('Short number', 'char', {
      depends: ['exten'],
      compute: (env, rows) => extenNumbers(env, rows, 'exten'),
    }),
    ...callAddressFields(({ id }) => `/telco/webhook/markup/${id}`),
  },
  methods: {
    sync: runButton(TELCO, 'applications', 'Sync applications'),
    preview: method({
      label: 'Try template',
      reply: Type.Object({ markup: Type.String(), problems: Type.Array(Type.String()) }),
      operation: 'read',
      args: Type.Object({
        markup: Type.Optional(Type.String({ maxLength: TEMPLATE_CHARS_MAX })),
        fields: Type.Optional(Type.Record(Type.String(), Type.String())),
      }),
      run: (env, ids, { markup, fields }) => preview(env, ids, { markup, fields }),
    }),
  },
  checks: [
    {
      fields: ['method', 'model', 'code_type'],
      says: `A route of the service is "${MARKUP_ROUTE.method}" of "${MARKUP_ROUTE.model}"; a template has none.`,
      require: ({ after }) => requireSafeCode(after),
    },
    {
      fields: ['markup'],
      says: 'Must be a template that a call can be answered with.',
      require({ values, current }) {
        if (typeof values.markup === 'string' && values.markup !== current?.markup) requireUsable(values.markup)
      },
    },
  ],
  async removing(env, ids) {
    await requireUnused(env, ids)
    await releaseExtensions(env, 'connect.telco.markup', ids)
  },
})

/** What a template makes of a sample request, and what the provider would not do of it; unsaved text wins over stored. */
async function preview(
  env: Env,
  [id]: readonly number[],
  { markup, fields }: { markup: string | undefined; fields: Record<string, string> | undefined },
): Promise<TriedTemplate> {
  if (markup !== undefined) return tryTemplate(markup, fields)
  if (id === undefined) throw new Refusal('refused', 'name-record-ids-template-markup')
  const [stored] = await env.db.query<{ markup: string }>(
    sql`select markup from connect_telco_markup where id = ${id}::bigint`,
  )
  return tryTemplate(stored?.markup ?? '', fields)
}

/** A template that no call could be answered with is not saved. */
function requireUsable(template: string): void {
  const reason = unusableReason(template)
  if (reason !== undefined) throw new Refusal('refused', 'connect-telco-markup-markup-cannot-used', { reason })
}

async function requireUnused(env: Env, ids: readonly number[]): Promise<void> {
  const [domain] = await env.db.query<{ friendly_name: string }>(
    sql`select friendly_name from connect_telco_domain where application in (${idList(ids)}) order by id limit 1`,
  )
  if (domain === undefined) return
  throw new Refusal('conflict', 'sip-domain-uses-this-application-give', { friendly_name: domain.friendly_name })
}

/** Throws a refusal when the application is a route of the service without saying which, or another one. */
function requireSafeCode({ code_type: type, model, method }: Values): void {
  const isEmpty = !model && !method
  if (isEmpty && type !== 'model_method') return
  if (model === MARKUP_ROUTE.model && method === MARKUP_ROUTE.method) return
  throw new Refusal('refused', 'connect-telco-markup-method-can-only', {
    method: MARKUP_ROUTE.method,
    model: MARKUP_ROUTE.model,
  })
}
