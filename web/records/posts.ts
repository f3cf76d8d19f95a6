/** A note, a message or a change on a record, as the service lists it. */
export interface Post {
  id: number
  body: string | null
  text: string
  author: string | null
  date: string
  is_mine: boolean
  kind: 'change' | 'note' | 'event' | 'message'
  edited_at: string | null
  changes: { field: string; from: string | null; to: string | null }[] | null
}

export const POSTS_PAGE = 50

export function postsKey(model: string, id: number): readonly unknown[] {
  return [model, 'posts', id]
}
