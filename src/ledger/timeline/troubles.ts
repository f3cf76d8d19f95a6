import { adminFix, type Cause, placesOf, type Story } from './cause.ts'
import type { Heard } from './heard.ts'
import type { Moment } from './moment.ts'

/** Troubles of one kind that are told; the timeline has the rest. */
const TOLD_MAX = 3
const MS_PER_SECOND = 1_000
/** After this the provider has long sent what it had. */
const FETCHED_AFTER_MS = 5 * 60_000

/** What went wrong in a call beside its ending, or in spite of it. */
export function troublesOf(story: Story, audio: readonly Heard[], nowMs: number, beganMs: number): Cause[] {
  const { moments } = story
  return [
    ...each(moments, ({ verdict }) => verdict === 'rejected', rejected),
    ...each(
      moments,
      ({ title }) => title === 'tool_failed',
      (moment) => toolFailed(moment),
    ),
    ...each(moments, isLate, late),
    ...each(moments, ({ verdict, kind }) => verdict === 'failed' && kind !== 'tool', failedHere),
    ...notFetched(audio, nowMs, beganMs),
    ...withoutCredentials(story),
  ]
}

type Told = Omit<Cause, 'moments'>

function each(moments: readonly Moment[], fits: (moment: Moment) => boolean, tell: (moment: Moment) => Told): Cause[] {
  return placesOf(moments, fits)
    .slice(0, TOLD_MAX)
    .flatMap((at) => {
      const moment = moments[at]
      return moment === undefined ? [] : [{ ...tell(moment), moments: [at] }]
    })
}

function rejected({ title, params, delivery }: Moment): Told {
  const fixes = delivery === undefined ? [] : [adminFix('fix_rejected', { kind: 'delivery', id: delivery })]
  return { code: `delivery_${title}`, params: { page: params.page }, fixes }
}

function toolFailed({ params, delivery }: Moment): Told {
  const fixes = delivery === undefined ? [] : [adminFix('fix_tool', { kind: 'delivery', id: delivery })]
  return { code: 'tool_failed', params: { name: params.name ?? params.page, say: params.say ?? params.reason }, fixes }
}

function isLate({ kind, took_ms: took = 0, budget_ms: budget }: Moment): boolean {
  return kind === 'tool' && budget !== undefined && took >= budget
}

function late({ params, took_ms: took = 0, budget_ms: budget = 0, delivery }: Moment): Told {
  const fixes = delivery === undefined ? [] : [adminFix('fix_tool', { kind: 'delivery', id: delivery })]
  const seconds = { took: took / MS_PER_SECOND, budget: budget / MS_PER_SECOND }
  return { code: 'tool_late', params: { name: params.name, ...seconds }, fixes }
}

function failedHere({ params, delivery }: Moment): Told {
  const fixes = delivery === undefined ? [] : [adminFix('fix_delivery', { kind: 'delivery', id: delivery })]
  return { code: 'delivery_failed', params: { page: params.page }, fixes }
}

function notFetched(audio: readonly Heard[], nowMs: number, beganMs: number): Cause[] {
  const isMissing = audio.some(
    ({ why, to_ms: to }) => why === 'being_fetched' && nowMs - beganMs - to > FETCHED_AFTER_MS,
  )
  return isMissing
    ? [{ code: 'recording_missing', params: {}, moments: [], fixes: [adminFix('fix_account', { kind: 'settings' })] }]
    : []
}

function withoutCredentials({ hasCredentials, facts }: Story): Cause[] {
  if (hasCredentials || facts.outcome !== 'failed') return []
  return [{ code: 'no_credentials', params: {}, moments: [], fixes: [adminFix('fix_account', { kind: 'settings' })] }]
}
