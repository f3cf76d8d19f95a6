import { Textarea } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { callByName } from '../data/client.ts'
import { unlessChanged, useDraft } from '../data/drafts.ts'
import { sentenceOf } from '../data/errors.ts'
import { asksPages } from '../data/keys.ts'
import { Button, Form } from '../design/press.tsx'
import { useProblem } from '../design/use-problem.ts'
import { FileArea } from '../files/file-area.tsx'
import { useFiles } from '../files/use-files.ts'
import { useWords } from '../words/words.ts'
import { ChatterPost } from './chatter-post.tsx'
import type { Post } from './posts.ts'
import { noteOf, POSTS_PAGE, postsKey } from './posts.ts'
import classes from './records.module.css'

/** The notes on a record and what was changed on it, newest first, and a box for another note. */
export function Chatter({ model, id, mayPost }: { model: string; id: number; mayPost: boolean }) {
  const say = useWords('records')
  const queries = useQueryClient()
  const { data, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    asksPages({
      queryKey: postsKey(model, id),
      initialPageParam: undefined as number | undefined,
      queryFn: async ({ pageParam: before }) =>
        (await callByName(model, 'message_list', {
          ids: [id],
          limit: POSTS_PAGE,
          ...(before === undefined ? {} : { before }),
        })) as Post[],
      getNextPageParam: (last) => (last.length < POSTS_PAGE ? undefined : last.at(-1)?.id),
    }),
  )
  const posts = data?.pages.flat() ?? []
  const place = { model, id, field: 'note' }
  const [text = '', setText] = useDraft<string>(place)
  const files = useFiles(place)
  const [problem, setProblem] = useProblem('')
  const post = async (): Promise<void> => {
    try {
      await callByName(model, 'message_post', noteOf(id, text, files.ids))
      setText(unlessChanged(text))
      files.takeOff(files.ids)
      setProblem('')
      await queries.invalidateQueries({ queryKey: postsKey(model, id) })
    } catch (error) {
      setProblem(sentenceOf(error))
    }
  }
  const isEmpty = text.trim() === '' && files.ids.length === 0
  const postButton = (
    <Button type="submit" variant="default" disabled={isEmpty || !files.isReady}>
      {say('post')}
    </Button>
  )
  return (
    <section className={classes.chatter} aria-label={say('chatter')}>
      <h2>{say('chatter')}</h2>
      {mayPost ? (
        <Form data-note onSubmit={post}>
          <FileArea files={files} actions={postButton}>
            <Textarea
              aria-label={say('note')}
              placeholder={say('note')}
              autosize
              minRows={2}
              maxRows={10}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value || undefined)}
              error={problem || undefined}
            />
          </FileArea>
        </Form>
      ) : null}
      {posts.length === 0 && !isPending ? <p className="dim">{say('noNotes')}</p> : null}
      {posts.map((each) => (
        <ChatterPost key={each.id} model={model} id={id} post={each} mayChange={mayPost} />
      ))}
      {hasNextPage ? (
        <Button variant="subtle" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {say('olderNotes')}
        </Button>
      ) : null}
    </section>
  )
}
