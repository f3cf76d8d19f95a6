import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../data/client.ts'
import { fetched } from '../data/code.ts'
import { tellDone, tellRefusal } from '../design/notices.tsx'
import { useOnce } from '../design/press.tsx'
import { useWords } from '../words/words.ts'
import { useOwnPhone } from './own-phone.tsx'

/** Rings one's own phone and connects it with the number; says what happens, and later where it did not. */
export function useDial() {
  const say = useWords('lines')
  const sayStory = useWords('story')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { told } = useOwnPhone()
  // What keeps the code from coming is no refusal of the call.
  const watch = (id: number): void => {
    const show = () => void navigate({ to: '/calls/$id', params: { id: String(id) } })
    const offer = { label: say('showCall'), run: show }
    void fetched(() => import('./dialled-call.ts'))
      .then(({ tellWhatFailed }) => tellWhatFailed({ queries, call: id, say: sayStory, offer }))
      .catch(() => undefined)
  }
  return useOnce(async (number: string, contact: number | undefined): Promise<void> => {
    try {
      const partner = contact === undefined ? {} : { partner_id: contact }
      const { call_id: id } = await call('connect.user', 'originate', { number, ...partner })
      tellDone(told(number))
      if (id !== null) watch(id)
    } catch (error) {
      tellRefusal(error)
    }
  })
}
