import { callByName, type Domain, searchRead } from '../data/client.ts'
import { asks, keyOf } from '../data/keys.ts'

/** What the address of a list says, name by name. */
export type Query = Readonly<Record<string, unknown>>

export interface View {
  id: number
  name: string
  query: Query
  /** Nobody: everybody's. */
  user: number | undefined
  isDefault: boolean
}

const VIEWS_MAX = 200
const FIELDS = ['name', 'query', 'user', 'is_default'] as const

/** Views of one list: one's own, and everybody's. */
export function viewsQuery(model: string) {
  return asks({
    queryKey: keyOf('connect.view', 'views', model),
    queryFn: async (): Promise<View[]> => {
      const domain: Domain = [['model', '=', model]]
      const rows = await searchRead('connect.view', {
        domain,
        fields: FIELDS,
        order: 'position, name, id',
        limit: VIEWS_MAX,
      })
      return rows.map(({ id, name, query, user, is_default: isDefault }) => ({
        id,
        name: name ?? '',
        query: queryOf(query),
        user: user?.[0],
        isDefault: isDefault === true,
      }))
    },
  })
}

/** The view that is opened when the address says nothing: one's own goes before everybody's. */
export function firstView(views: readonly View[]): View | undefined {
  const marked = views.filter(({ isDefault }) => isDefault)
  return marked.find(({ user }) => user !== undefined) ?? marked[0]
}

/** What of an address is no filter: how the list is drawn, and which of its rows is being looked at. */
const MANNER = ['as']
const LOOKED_AT = ['peek', 'open']

/** What of an address belongs to a view. */
export function kept(query: Query): Query {
  return without(query, LOOKED_AT)
}

/** Whether an address lists everything, however that is drawn. */
export function isUnfiltered(query: Query): boolean {
  return isSame(without(query, [...LOOKED_AT, ...MANNER]), {})
}

function without(query: Query, names: readonly string[]): Query {
  return Object.fromEntries(Object.entries(query).filter(([name]) => !names.includes(name)))
}

/** The view that says just what the address says. */
export function viewOf(views: readonly View[], query: Query): View | undefined {
  return views.find((view) => isSame(view.query, kept(query)))
}

/** Whether both say the same, in whatever order; what is undefined is not said. */
export function isSame(one: Query, other: Query): boolean {
  return canonical(one) === canonical(other)
}

function canonical(query: Query): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined)
  return JSON.stringify(said.sort(([one], [other]) => (one < other ? -1 : 1)))
}

interface NewView {
  model: string
  name: string
  query: Query
  /** One's own where nobody is said; null is everybody's. */
  user?: number | null
  is_default?: boolean
}

export async function saveView(values: NewView): Promise<void> {
  await callByName('connect.view', 'create', { vals_list: values })
}

export async function changeView(id: number, vals: object): Promise<void> {
  await callByName('connect.view', 'write', { ids: [id], vals })
}

export async function deleteView(id: number): Promise<void> {
  await callByName('connect.view', 'unlink', { ids: [id] })
}

/** What is stored of an address; nothing of what is none. */
export function queryOf(value: unknown): Query {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Query) : {}
}
