import { useQuery } from '@tanstack/react-query'
import { EXTENSIONS } from './names.ts'
import { namesQuery } from './names-query.ts'

/** What pickers call a short number: with who answers it, which its own name leaves out. Until that is known, the number. */
export function useExtensionName(id: number | undefined, number: string): string {
  const { data } = useQuery({ ...namesQuery(EXTENSIONS, '', [['id', '=', id ?? null]]), enabled: id !== undefined })
  const [known] = data ?? []
  return known !== undefined && known[0] === id ? known[1] : number
}
