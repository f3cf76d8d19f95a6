import { Type } from 'typebox'
import { sql } from '../../database/drizzle.ts'
import { Refusal } from '../../errors.ts'
import { withLease } from '../../jobs/lease.ts'
import { type Env, elevated, type OpenEnv } from '../../platform/access/env.ts'
import type { OutsideMethod, RowOf, Values } from '../../platform/model/model.ts'
import { records } from '../../platform/records/records.ts'
import { createOrFind, forPerson, ifPresent, unlessMissing } from '../../sync/push.ts'
import { outsideButton } from '../../sync/requests.ts'
import type { Approval, ProviderContent } from '../client/contents.ts'
import { requireCredentials } from '../sync/readiness.ts'
import { TELCO, type TelcoParts } from '../sync/telco.ts'
import type { contentTemplateModel } from './content-template.ts'
import { approvalName, type ContentTypes, toContentTypes } from './template-content.ts'
import { templateLanguage } from './template-language.ts'
import { approvalValues, listTemplates, TEMPLATE_MODEL, templateLinks } from './template-resource.ts'

/** States in which a template can be submitted; a rejected one is made anew, because an approval is never asked twice. */
const SUBMITTABLE = ['unsubmitted', 'rejected', 'missing']
const TEMPLATES_MAX = 50
const MISSING: Approval = {
  status: 'missing',
  category: undefined,
  rejectionReason: undefined,
  mayChangeCategory: undefined,
}

type WrittenTemplate = RowOf<
  typeof contentTemplateModel,
  'id' | 'friendly_name' | 'content_type' | 'category' | 'body' | 'sid' | 'status'
> & { language: string; variables: Values | null; actions: unknown[] | null; media: unknown[] | null }

const Submitted = Type.Object({ id: Type.Integer(), sid: Type.String(), status: Type.Unknown() })
const Statuses = Type.Array(Type.Object({ id: Type.Integer(), status: Type.Unknown() }))

/** Creates the template at the provider and asks WhatsApp to approve it. */
export function submitMethod(parts: TelcoParts): OutsideMethod {
  return outsideButton('Submit for approval', Submitted, async (open, [id, ...others]) => {
    if (id === undefined || others.length > 0) throw new Refusal('refused', 'submit-one-template-at-time')
    return forPerson(TELCO, () => withLease(parts.db, `telco template ${id}`, () => submit(parts, open, id)))
  })
}

/** Asks how far the approval of templates is. */
export function fetchStatusMethod(parts: TelcoParts): OutsideMethod {
  return outsideButton('Fetch the status', Statuses, async (open, ids) => {
    if (ids.length === 0 || ids.length > TEMPLATES_MAX) {
      throw new Refusal('refused', 'ask-for-status-templates-at-time', { templates: TEMPLATES_MAX })
    }
    const statuses = []
    for (const id of ids) statuses.push(await forPerson(TELCO, () => fetchStatus(parts, open, id)))
    return statuses
  })
}

async function submit(
  parts: TelcoParts,
  open: OpenEnv,
  id: number,
): Promise<{ id: number; sid: string; status: unknown }> {
  const template = await open((env) => readTemplate(env, id))
  if (!SUBMITTABLE.includes(template.status)) {
    throw new Refusal('conflict', 'template-already', {
      friendly_name: template.friendly_name,
      status: template.status,
    })
  }
  const { contents } = parts.account
  const previous = template.sid === null ? {} : await removePrevious(parts, open, { id, sid: template.sid })
  const sid = await create(parts, template, previous)
  await open((env) => savePushed(env, id, { sid, status: 'unsubmitted', ...templateLinks(sid) }))
  const approval = await contents.submit(sid, {
    name: approvalName(template.friendly_name),
    category: template.category ?? 'UTILITY',
  })
  const values = approvalValues(approval)
  await open((env) => savePushed(env, id, values))
  return { id, sid, status: values.status }
}

async function readTemplate(env: Env, id: number): Promise<WrittenTemplate> {
  requireCredentials(env.settings)
  const [template] = await env.db.query<WrittenTemplate>(
    sql`select t.id, t.friendly_name, l.code as language, t.content_type, t.category, t.variables, t.actions, t.media, t.body,
          t.sid, t.status
        from connect_message_content_template t join res_lang l on l.id = t.language where t.id = ${id}::bigint`,
  )
  if (template === undefined) throw new Refusal('not-found', 'no-record', { id, model: TEMPLATE_MODEL })
  return template
}

/** Removes the template as it was; what it held, because not every field of it has a place here. */
async function removePrevious(
  { account: { contents } }: TelcoParts,
  open: OpenEnv,
  { id, sid }: { id: number; sid: string },
): Promise<ContentTypes> {
  const previous = (await contents.list()).find((each) => each.sid === sid)
  await unlessMissing(TELCO, () => contents.delete(sid))
  await open((env) => savePushed(env, id, { sid: null, approval_create_url: null, approval_fetch_url: null }))
  return previous?.types ?? {}
}

/** Creating is never repeated blindly: after an unclear answer a template of that name that nobody knows is the one. */
async function create(parts: TelcoParts, template: WrittenTemplate, previous: ContentTypes): Promise<string> {
  const { contents } = parts.account
  const config = {
    name: template.friendly_name,
    language: templateLanguage(template.language),
    variables: textsOf(template.variables),
    types: toContentTypes({ ...template, type: template.content_type }, previous),
  }
  const findMade = async () => {
    const known = await listTemplates(parts)
    const isMade = ({ sid, name, language }: ProviderContent): boolean =>
      name === config.name && language === config.language && !known.some((each) => each.sid === sid)
    return (await contents.list()).find(isMade)?.sid
  }
  return createOrFind(TELCO, () => contents.create(config), findMade)
}

async function fetchStatus(parts: TelcoParts, open: OpenEnv, id: number): Promise<{ id: number; status: unknown }> {
  const { sid, status } = await open((env) => readTemplate(env, id))
  if (sid === null) return { id, status }
  const approval = (await ifPresent(TELCO, () => parts.account.contents.fetchApproval(sid))) ?? MISSING
  const values = approvalValues(approval)
  await open((env) => savePushed(env, id, values))
  return { id, status: values.status }
}

/** What the provider says goes past the rule that an approved template is not to be changed. */
async function savePushed(env: Env, id: number, values: Values): Promise<void> {
  await records(elevated(env), TEMPLATE_MODEL).write([id], values)
}

function textsOf(values: Values | null): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, String(value ?? '')]))
}
