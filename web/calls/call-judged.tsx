import type { ReactNode } from 'react'
import { plain } from '../words/formats.ts'
import { languageName } from '../words/languages.ts'
import { money } from '../words/money.ts'
import { decimal } from '../words/numerals.ts'
import { reader, useWords } from '../words/words.ts'
import classes from './call.module.css'
import { judgedOf } from './judged.ts'

export interface JudgedCall {
  conversation_criteria: unknown
  conversation_data: unknown
  conversation_cost: number | null
  conversation_cost_usd: number | null
  conversation_charging: unknown
  conversation_language: string | null
  conversation_tags: unknown
}

const RESULTS = { success: 'goalReached', failure: 'goalMissed' } as const
const SIGNS: Readonly<Record<string, string>> = { success: '✓', failure: '✕' }
const CHARGES = {
  call_charge: 'chargeCall',
  llm_charge: 'chargeModel',
  platform_charge: 'chargePlatform',
  tier: 'chargeTier',
} as const

/** What the platform found out about the conversation: goals, data, cost, language and tags, each where there is some. */
export function CallJudged({ call }: { call: JudgedCall }) {
  const say = useWords('calls')
  const { goals, fields, charges, tags } = judgedOf(call)
  const cost = costOf(call, say)
  return (
    <>
      {goals.map(({ id, result, rationale, score }, at) => (
        <Part key={id} name={at === 0 ? say('goals') : ''} more={rationale}>
          <span className={classes.promise} data-kept={result in RESULTS ? result === 'success' : undefined}>
            {SIGNS[result] ?? '?'} {inWords(id)}: {say(RESULTS[result as keyof typeof RESULTS] ?? 'resultUnknown')}
            {score === undefined ? '' : ` (${score})`}
          </span>
        </Part>
      ))}
      {fields.map(({ id, value, rationale }, at) => (
        <Part key={id} name={at === 0 ? say('collected') : ''} more={rationale}>
          {inWords(id)}: {value === '' ? <span className="dim">{say('notCollected')}</span> : plain(value)}
        </Part>
      ))}
      {cost === '' ? null : (
        <Part
          name={say('conversationCost')}
          more={charges.map(([name, value]) => `${say(CHARGES[name])}: ${plain(value)}`).join(', ')}
        >
          {cost}
        </Part>
      )}
      {call.conversation_language === null ? null : (
        <Part name={say('conversationLanguage')}>{languageName(call.conversation_language, reader().language)}</Part>
      )}
      {tags.length === 0 ? null : <Part name={say('conversationTags')}>{tags.map(plain).join(', ')}</Part>}
    </>
  )
}

/** A goal or a field as the agent's maker named it, which has no blanks: `visit_booked`. */
function inWords(id: string): string {
  const words = plain(id.replaceAll('_', ' '))
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function costOf(
  { conversation_cost: credits, conversation_cost_usd: dollars }: JudgedCall,
  say: ReturnType<typeof useWords<'calls'>>,
): string {
  const { language } = reader()
  const inCredits = credits === null ? [] : [say('credits', { count: credits, credits: decimal(credits, language) })]
  return [...inCredits, ...(dollars === null ? [] : [money(dollars, 'USD', language)])].join(' · ')
}

function Part({ name, more, children }: { name: string; more?: string | undefined; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {children}
        {more === undefined || more === '' ? null : <div className="dim">{plain(more)}</div>}
      </dd>
    </>
  )
}
