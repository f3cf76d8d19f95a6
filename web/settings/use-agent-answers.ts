import { useDraft } from '../data/drafts.ts'
import { useMe } from '../data/session.ts'
import { currentLanguage } from '../words/words.ts'
import { type AgentAnswers, freeNumber, withAnswer } from './agent-answers.ts'
import { useNumbers } from './set-up-number.tsx'

const AGENT = 'connect.voiceai_agent'

/** What is answered so far, with what is proposed where nothing is. */
export function useAnswers() {
  const me = useMe()
  const { data: numbers = [] } = useNumbers()
  const [typed, setTyped] = useDraft<Partial<AgentAnswers>>({ model: AGENT, id: 'set-up', field: 'answers' })
  const answers: AgentAnswers = {
    ...{ does: '', days: [], from: '09:00', to: '17:00', may: ['answer', 'message'], mobile: '' },
    ...{ voicemail: true, announces: true },
    ...{ person: [me.id, me.name], voice: undefined, language: currentLanguage(), number: freeNumber(numbers) },
    ...typed,
  }
  const set = (part: Partial<AgentAnswers>) => void setTyped((before) => withAnswer(before, part))
  return { answers, set, clear: () => setTyped(undefined), numbers }
}

/** The answers, and how they change. */
export type Answering = ReturnType<typeof useAnswers>
