import { tellDone } from '../design/notices.tsx'
import { useWords } from '../words/words.ts'

/** Says that what was typed is discarded, and offers to type it again. */
export function useTellDiscarded(): (putBack: () => void) => void {
  const say = useWords('records')
  return (putBack) => tellDone(say('discarded'), { label: say('undo'), run: putBack })
}
