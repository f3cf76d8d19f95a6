import { useState } from 'react'
import { useWords } from '../words/words.ts'
import { Ask } from './ask.tsx'
import { type Shorter, shortenedBy } from './shortened.ts'

interface Given {
  before: Readonly<Record<string, unknown>>
  changes: Readonly<Record<string, unknown>>
  submit: () => Promise<void>
}

const WORDS = {
  audio_keep_days: 'audioGoes',
  transcript_keep_days: 'transcriptsGo',
  delivery_keep_days: 'webhooksGo',
} as const satisfies Record<Shorter['name'], string>

/** Asks before something is kept for a shorter time, which deletes what is older; other changes are saved at once. */
export function useAskShorter({ before, changes, submit }: Given) {
  const say = useWords('settings')
  const [isAsking, setAsking] = useState(false)
  const shorter = shortenedBy(before, changes)
  const gone = shorter.map(({ name, days }) => say(WORDS[name], { count: days }))
  const save = (): Promise<void> => {
    setAsking(false)
    return submit()
  }
  return {
    submit: shorter.length > 0 ? () => setAsking(true) : submit,
    question: (
      <Ask
        isOpen={isAsking}
        question={say('shorterQuestion')}
        says={[...gone, say('shorterForGood')].join(' ')}
        verb={say('shorterSave')}
        onClose={() => setAsking(false)}
        onYes={save}
      />
    ),
  }
}
