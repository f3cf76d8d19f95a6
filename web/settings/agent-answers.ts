/** What is answered to the questions that make an agent, and what is sent of it; pure. */
import type { Methods } from '../data/models.gen.ts'

export type SetUpArguments = Methods['connect.voiceai_agent']['set_up']['args']
type Ability = NonNullable<SetUpArguments['may']>[number]

export interface AgentAnswers {
  does: string
  /** Days of the week that are open, 0 is Monday, and from when to when, written 09:00. */
  days: readonly string[]
  from: string
  to: string
  may: readonly Ability[]
  /** The pair that a picker gives. */
  person: unknown
  mobile: string
  /** Callers whom nobody takes over may leave a message. */
  voicemail: boolean
  voice: number | undefined
  language: string
  announces: boolean
  number: number | undefined
  /** Undefined until they were shown. */
  prompt?: string
  greeting?: string
  /** Somebody has changed the texts, which other answers do not change any more. */
  isEdited?: boolean
}

export const ABILITIES = [
  ['answer', 'mayAnswer'],
  ['message', 'mayMessage'],
  ['book', 'mayBook'],
  ['tickets', 'mayTickets'],
  ['hand_over', 'mayHandOver'],
] as const satisfies readonly (readonly [Ability, string])[]

/** Whether somebody has to be there for what the agent may do. */
export function needsPerson({ may }: Pick<AgentAnswers, 'may'>): boolean {
  return may.includes('book') || may.includes('hand_over')
}

/** The answers as the method takes them; what was left out is not sent. */
export function asSent(answers: AgentAnswers): SetUpArguments {
  const { does, days, from, to, may, person, voice, language, announces, number, prompt, greeting } = answers
  const [opens, closes] = [hoursOf(from), hoursOf(to)]
  const isOpen = days.length > 0 && opens !== undefined && closes !== undefined
  const id: unknown = Array.isArray(person) ? person[0] : person
  return {
    ...{ may: [...may], language, announces_ai: announces },
    ...(does.trim() === '' ? {} : { does }),
    ...(isOpen ? { openings: days.map((dayofweek) => ({ dayofweek, hour_from: opens, hour_to: closes })) } : {}),
    ...(needsPerson(answers) && typeof id === 'number' ? { person: id } : {}),
    ...(may.includes('hand_over') ? handedOver(answers) : {}),
    ...(voice === undefined ? {} : { voice }),
    ...(number === undefined ? {} : { number }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(greeting === undefined ? {} : { first_message: greeting }),
  }
}

function handedOver({ mobile, voicemail }: AgentAnswers): Pick<SetUpArguments, 'mobile' | 'voicemail'> {
  return mobile.trim() === '' ? { voicemail } : { mobile, voicemail }
}

/** The number that is proposed: the first that nothing answers yet, so that another agent takes no number from the one before. */
export function freeNumber(numbers: readonly { id: number; destination: string | null }[]): number | undefined {
  return numbers.find(({ destination }) => destination === null)?.id
}

/** The answers with another one; texts that nobody has changed are made anew of it. */
export function withAnswer(before: Partial<AgentAnswers> = {}, part: Partial<AgentAnswers>): Partial<AgentAnswers> {
  const { prompt, greeting, ...others } = before
  const stays = before.isEdited === true || 'isEdited' in part
  const texts = { ...(prompt === undefined ? {} : { prompt }), ...(greeting === undefined ? {} : { greeting }) }
  return { ...others, ...(stays ? texts : {}), ...part }
}

const MINUTES_PER_HOUR = 60

/** A time of day in hours, midnight at its end as 24. */
function hoursOf(time: string): number | undefined {
  const [, hours, minutes] = /^(\d\d?):(\d\d)$/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) + Number(minutes) / MINUTES_PER_HOUR
}
