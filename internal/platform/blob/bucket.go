package blob

import (
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// refreshAfter is how old the last Put of an object may be for another Put of the same bytes to leave it alone.
const refreshAfter = time.Hour

// Bucket is a Store in a bucket of a service that speaks the S3 protocol.
type Bucket struct {
	client *minio.Client
	bucket string
	prefix string // empty, or ends in a slash
}

// BucketConfig says where a bucket is and how to reach it.
type BucketConfig struct {
	// Endpoint is the service's address: https://host, or http://host:port for one nearby. Empty means Amazon's.
	Endpoint string
	// Region is the bucket's region; empty asks the service.
	Region string
	// Bucket is the bucket's name. It has to be there.
	Bucket string
	// Prefix goes before the name of every object; empty for none.
	Prefix string
	// Credentials sign the requests; nil takes AWS variables, the credentials file or the instance role.
	Credentials *credentials.Credentials
	// Transport carries the requests; nil takes the client's own.
	Transport http.RoundTripper
}

// NewBucket returns the store in a bucket. It does not connect; Check does.
func NewBucket(config BucketConfig) (*Bucket, error) {
	endpoint, err := url.Parse(cmp.Or(config.Endpoint, "https://s3.amazonaws.com"))
	if err != nil || endpoint.Host == "" || (endpoint.Scheme != "https" && endpoint.Scheme != "http") ||
		strings.Trim(endpoint.Path, "/") != "" {
		return nil, errors.New("the endpoint of the blob URL must be https://HOST or http://HOST:PORT, without a path")
	}
	if config.Bucket == "" {
		return nil, errors.New("the blob URL needs a bucket: s3://BUCKET")
	}
	signing := config.Credentials
	if signing == nil {
		signing = credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		})
	}
	client, err := minio.New(endpoint.Host, &minio.Options{
		Creds:     signing,
		Secure:    endpoint.Scheme == "https",
		Region:    config.Region,
		Transport: config.Transport,
	})
	if err != nil {
		return nil, fmt.Errorf("open the blob bucket: %w", err)
	}
	prefix := strings.Trim(config.Prefix, "/")
	if prefix != "" {
		prefix += "/"
	}
	return &Bucket{client: client, bucket: config.Bucket, prefix: prefix}, nil
}

func newBucketFromURL(address *url.URL) (*Bucket, error) {
	query := address.Query()
	for name := range query {
		if name != "endpoint" && name != "region" {
			return nil, fmt.Errorf("the blob URL has the unknown parameter %q; there are endpoint and region", name)
		}
	}
	config := BucketConfig{
		Endpoint: query.Get("endpoint"),
		Region:   query.Get("region"),
		Bucket:   address.Host,
		Prefix:   address.Path,
	}
	if address.User != nil {
		secret, _ := address.User.Password()
		config.Credentials = credentials.NewStaticV4(address.User.Username(), secret, "")
	}
	return NewBucket(config)
}

// Put implements Store. The object's name is known only when all bytes have been read, so they go to a temporary file
// first.
func (b *Bucket) Put(ctx context.Context, r io.Reader) (hash string, size int64, err error) {
	file, err := os.CreateTemp("", "recto-blob-")
	if err != nil {
		return "", 0, fmt.Errorf("store blob: %w", err)
	}
	defer func() {
		_ = file.Close()
		_ = os.Remove(file.Name())
	}()
	reader, etag := newHashingReader(ctx, r), md5.New()
	if _, err := io.Copy(io.MultiWriter(file, etag), reader); err != nil {
		return "", 0, fmt.Errorf("store blob: %w", err)
	}
	hash, size = reader.hash(), reader.size
	if b.hasNow(ctx, hash, size, hex.EncodeToString(etag.Sum(nil))) {
		return hash, size, nil
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", 0, fmt.Errorf("store blob: %w", err)
	}
	_, err = b.client.PutObject(ctx, b.bucket, b.prefix+hash, file, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream",
		// Over plain HTTP the client signs the body piece by piece, and sends an empty one without its length.
		DisableContentSha256: size == 0,
	})
	if err != nil {
		return "", 0, bucketError("store", hash, err)
	}
	return hash, size, nil
}

// hasNow reports whether the same bytes were put a short while ago. A service names objects that came in one part by
// the MD5 of their bytes; what it names otherwise is put again, which mends it when it is damaged.
func (b *Bucket) hasNow(ctx context.Context, hash string, size int64, etag string) bool {
	info, err := b.client.StatObject(ctx, b.bucket, b.prefix+hash, minio.StatObjectOptions{})
	return err == nil && info.Size == size && time.Since(info.LastModified) < refreshAfter &&
		strings.EqualFold(strings.Trim(info.ETag, `"`), etag)
}

// Open implements Store.
func (b *Bucket) Open(ctx context.Context, hash string) (io.ReadSeekCloser, int64, error) {
	if !ValidHash(hash) {
		return nil, 0, ErrNotFound
	}
	object, err := b.client.GetObject(ctx, b.bucket, b.prefix+hash, minio.GetObjectOptions{})
	if err != nil {
		return nil, 0, bucketError("open", hash, err)
	}
	// GetObject asks for nothing yet.
	info, err := object.Stat()
	if err != nil {
		_ = object.Close()
		return nil, 0, bucketError("open", hash, err)
	}
	return object, info.Size, nil
}

// Stat implements Store.
func (b *Bucket) Stat(ctx context.Context, hash string) (Info, error) {
	if !ValidHash(hash) {
		return Info{}, ErrNotFound
	}
	info, err := b.client.StatObject(ctx, b.bucket, b.prefix+hash, minio.StatObjectOptions{})
	if err != nil {
		return Info{}, bucketError("stat", hash, err)
	}
	return Info{Hash: hash, Size: info.Size, PutAt: info.LastModified.UTC()}, nil
}

// Delete implements Store.
func (b *Bucket) Delete(ctx context.Context, hash string) error {
	if !ValidHash(hash) {
		return nil
	}
	err := b.client.RemoveObject(ctx, b.bucket, b.prefix+hash, minio.RemoveObjectOptions{})
	if err != nil && !isMissing(err) {
		return bucketError("delete", hash, err)
	}
	return nil
}

// DeleteBefore implements Store. Between its look and its deletion another process may put the same blob: the service
// has no deletion with a condition. MinimumAge makes that a matter of the same bytes coming back after a day unused, in
// the few milliseconds in which they are collected.
func (b *Bucket) DeleteBefore(ctx context.Context, hash string, before time.Time) (bool, error) {
	info, err := b.Stat(ctx, hash)
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if !info.PutAt.Before(before) {
		return false, nil
	}
	if err := b.Delete(ctx, hash); err != nil {
		return false, err
	}
	return true, nil
}

// List implements Store. Objects that are no blobs are passed over.
func (b *Bucket) List(ctx context.Context) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		for object := range b.client.ListObjectsIter(ctx, b.bucket, minio.ListObjectsOptions{Prefix: b.prefix,
			Recursive: true}) {
			if object.Err != nil {
				yield(Info{}, fmt.Errorf("list blobs: %w", object.Err))
				return
			}
			hash := strings.TrimPrefix(object.Key, b.prefix)
			if !ValidHash(hash) {
				continue
			}
			if !yield(Info{Hash: hash, Size: object.Size, PutAt: object.LastModified.UTC()}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(Info{}, fmt.Errorf("list blobs: %w", err))
		}
	}
}

// Check implements Store.
func (b *Bucket) Check(ctx context.Context) error {
	found, err := b.client.BucketExists(ctx, b.bucket)
	if err != nil {
		return fmt.Errorf("reach the blob bucket: %w", err)
	}
	if !found {
		return fmt.Errorf("the blob bucket %q does not exist; make it first", b.bucket)
	}
	return nil
}

func bucketError(verb, hash string, err error) error {
	if isMissing(err) {
		return ErrNotFound
	}
	return fmt.Errorf("%s blob %s: %w", verb, hash, err)
}

// isMissing reports whether the service answered that there is no such object.
func isMissing(err error) bool {
	return minio.ToErrorResponse(err).Code == minio.NoSuchKey
}
