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
  return useOnce(async (number: string, contact: number | undefined): Promise<void> => {
    try {
      const partner = contact === undefined ? {} : { partner_id: contact }
      const { call_id: id } = await call('connect.user', 'originate', { number, ...partner })
      tellDone(told(number))
      if (id === null) return
      const show = () => void navigate({ to: '/calls/$id', params: { id: String(id) } })
      const { tellWhatFailed } = await fetched(() => import('./dialled-call.ts'))
      await tellWhatFailed({ queries, call: id, say: sayStory, offer: { label: say('showCall'), run: show } })
    } catch (error) {
      tellRefusal(error)
    }
  })
}
