/** An application in a repository: a Dockerfile, and a web server of busybox that says which version answers. */
import { join } from 'node:path'
import { BUSYBOX } from '../busybox-image.ts'
import { repositoryIn, serveGit } from '../git-server.ts'

export const SHOP_PORT = 8_080

/** Answers as the clients of `haproxy.ts` expect, after three times the time that they choose: requests are on their way always. */
const answering = (version: string) => `#!/bin/sh
body=$(head -c "\${CONTENT_LENGTH:-0}")
usleep "$((\${QUERY_STRING#ms=} * 3000))"
printf 'Content-Type: application/json\\r\\n\\r\\n{"from":"${version} %s","body":"%s"}' "$COLOR" "$body"
`

const FAILING = `#!/bin/sh
printf 'Status: 500\\r\\nContent-Type: text/plain\\r\\n\\r\\nno database'
`

/** What a careless program says: a secret of several lines, the same in base64, and another one in two pieces. */
const SAYING = `[ -n "$KEY" ] || exit 0
echo "key $KEY"
printf '%s' "$KEY" | base64
printf 'halves %s' "\${HALVES%-halves*}"
sleep 0.2
echo "-halves\${HALVES#*-halves}"
`

/** Its build shows a secret, and keeps a hash of it. Its program ends at once when it is told to, whatever it works on. */
const dockerfileOf = (secret: string, seconds: number) => `FROM ${BUSYBOX}
COPY . /shop
RUN --mount=type=secret,id=${secret} mkdir /proof && echo "token $(cat /run/secrets/${secret})" && base64 </run/secrets/${secret} && sha256sum </run/secrets/${secret} >/proof/sum
RUN chmod 755 /shop/www/cgi-bin/index.cgi && sleep ${seconds}
EXPOSE ${SHOP_PORT}
CMD ["sh", "-c", "cat /shop/words; sh /shop/say; trap 'exit 0' TERM; httpd -f -p ${SHOP_PORT} -h /shop/www & wait"]
`

/** @param secret the name of the variable that its build needs */
export async function shopRepository(root: string, { secret, token }: { secret: string; token: string }) {
  const repository = repositoryIn(join(root, 'shop'))
  const server = await serveGit(root, { login: { username: 'ada', password: token } })
  const push = (version: string, script: string, words: string, seconds = 0): string => {
    repository.write({
      Dockerfile: dockerfileOf(secret, seconds),
      'www/cgi-bin/index.cgi': script,
      words: `${words}\n`,
      say: SAYING,
    })
    return repository.commit(version)
  }
  return {
    /** Of the server. */
    baseUrl: server.url(''),
    url: server.url('shop'),
    /** @param seconds that the build takes at least @returns the commit */
    push: (version: string, seconds?: number) => push(version, answering(version), `${version} begins`, seconds),
    /** As a provider keeps the newest commit of a pull request, beside the branches. @returns the commit */
    propose(number: number, version: string): string {
      const main = repository.git('rev-parse', 'main')
      const commit = push(version, answering(version), `${version} begins`)
      repository.git('update-ref', `refs/pull/${number}/head`, commit)
      repository.git('reset', '--quiet', '--hard', main)
      return commit
    },
    pushFailing: (version: string, words: string) => push(version, FAILING, words),
    close: server.close,
  }
}
